import type { GetPluginCapabilitiesRequest__Output } from '../gen/csi/csi/v1/GetPluginCapabilitiesRequest.ts';
import type { GetPluginCapabilitiesResponse } from '../gen/csi/csi/v1/GetPluginCapabilitiesResponse.ts';
import type { GetPluginInfoRequest__Output } from '../gen/csi/csi/v1/GetPluginInfoRequest.ts';
import type { GetPluginInfoResponse } from '../gen/csi/csi/v1/GetPluginInfoResponse.ts';
import type { PluginCapability } from '../gen/csi/csi/v1/PluginCapability.ts';
import type { CsiService, UnaryHandler } from '../rpc/call.ts';
import { probe, type ProbeDeps } from './probe.ts';

export interface IdentityOptions {
  /** The driver name that StorageClasses and PersistentVolumes refer to. */
  readonly name: string;
  /** Release of the driver, for people. */
  readonly version: string;
  /** Further facts about this build, for people. */
  readonly manifest: Readonly<Record<string, string>>;
  /**
   * Whether the driver has a Controller. The CSI spec wants one answer from all instances of a deployment, so a
   * node of a deployment with a Controller elsewhere says so too.
   */
  readonly controllerService: boolean;
  /** `ONLINE`: a volume grows while pods use it. `OFFLINE`: only while it is attached to no node. */
  readonly volumeExpansion: 'ONLINE' | 'OFFLINE';
}

/** The CSI Identity service: who this is, what it has, and whether it can work now. Takes no locks. */
export function identityService(deps: ProbeDeps, options: IdentityOptions): CsiService {
  return {
    name: 'Identity',
    methods: {
      GetPluginInfo: getPluginInfo(options),
      GetPluginCapabilities: getPluginCapabilities(options),
      Probe: probe(deps),
    },
    lockKeys: {},
  };
}

function getPluginInfo(
  options: IdentityOptions,
): UnaryHandler<GetPluginInfoRequest__Output, GetPluginInfoResponse> {
  const info = { name: options.name, vendor_version: options.version, manifest: options.manifest };
  return () => Promise.resolve(info);
}

function getPluginCapabilities(
  options: IdentityOptions,
): UnaryHandler<GetPluginCapabilitiesRequest__Output, GetPluginCapabilitiesResponse> {
  const capabilities: PluginCapability[] = [
    ...(options.controllerService ? [{ service: { type: 'CONTROLLER_SERVICE' as const } }] : []),
    { service: { type: 'VOLUME_ACCESSIBILITY_CONSTRAINTS' } },
    { volume_expansion: { type: options.volumeExpansion } },
  ];
  return () => Promise.resolve({ capabilities });
}
