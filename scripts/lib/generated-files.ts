import { flagTable, importPictureInDocs, proxyTables } from './gen-docs.ts';
import { wireDescriptor, wireTypes } from './gen-proto.ts';
import { proxyWireApi } from './gen-proxy-proto.ts';
import type { Generated } from './generated.ts';

/** Everything in this repository that is made by a program and committed. */
export const generatedFiles: readonly Generated[] = [
  wireTypes,
  wireDescriptor,
  proxyWireApi,
  flagTable,
  importPictureInDocs,
  proxyTables,
];
