import { StorageError } from '../../core/errors.ts';
import type { HostIscsi, IscsiAuthentication, IscsiPortal } from '../../core/ports/host-storage.ts';
import type { AuthenticationType, Rpcs, TargetPortal } from '../../gen/csi-proxy/iscsi/v1alpha1.ts';
import type { Rpcs as RpcsAlpha2 } from '../../gen/csi-proxy/iscsi/v1alpha2.ts';
import { noAnswer, noArguments, type RequestHalf, type VersionCodec } from './version-codec.ts';
import { diskNumberText, enumWords, parseDiskNumber, wholeNumber } from './wire-values.ts';

interface WirePortal {
  readonly target_portal: TargetPortal | null;
}

const ofPortal: RequestHalf<[IscsiPortal], WirePortal> = {
  encodeRequest: ([portal]) => ({ target_portal: encodePortal(portal) }),
  decodeRequest: ({ target_portal }) => [decodePortal(target_portal)],
};

const ofTarget: RequestHalf<[IscsiPortal, string], WirePortal & { readonly iqn: string }> = {
  encodeRequest: ([portal, iqn]) => ({ target_portal: encodePortal(portal), iqn }),
  decodeRequest: ({ target_portal, iqn }) => [decodePortal(target_portal), iqn],
};

/** iSCSI `v1alpha1`. */
export const iscsiV1alpha1 = {
  addTargetPortal: { rpc: 'AddTargetPortal', ...ofPortal, ...noAnswer },
  discoverTargetPortal: {
    rpc: 'DiscoverTargetPortal',
    ...ofPortal,
    encodeResponse: (iqns) => ({ iqns }),
    decodeResponse: ({ iqns }) => iqns,
  },
  removeTargetPortal: { rpc: 'RemoveTargetPortal', ...ofPortal, ...noAnswer },
  listTargetPortals: {
    rpc: 'ListTargetPortals',
    ...noArguments,
    encodeResponse: (portals) => ({ target_portals: portals.map(encodePortal) }),
    decodeResponse: ({ target_portals }) => target_portals.map(decodePortal),
  },
  connectTarget: {
    rpc: 'ConnectTarget',
    encodeRequest: ([portal, iqn, authentication]) => ({
      target_portal: encodePortal(portal),
      iqn,
      ...encodeAuthentication(authentication),
    }),
    decodeRequest: (request) => [
      decodePortal(request.target_portal),
      request.iqn,
      decodeAuthentication(request),
    ],
    ...noAnswer,
  },
  disconnectTarget: { rpc: 'DisconnectTarget', ...ofTarget, ...noAnswer },
  getTargetDisks: {
    rpc: 'GetTargetDisks',
    ...ofTarget,
    encodeResponse: (disks) => ({ diskIDs: disks.map(diskNumberText) }),
    decodeResponse: ({ diskIDs }) => diskIDs.map(parseDiskNumber),
  },
} as const satisfies VersionCodec<HostIscsi, Rpcs>;

/** iSCSI `v1alpha2`. */
export const iscsiV1alpha2: VersionCodec<HostIscsi, RpcsAlpha2> = {
  ...iscsiV1alpha1,
  setMutualChapSecret: {
    rpc: 'SetMutualChapSecret',
    encodeRequest: ([secret]) => ({ MutualChapSecret: secret }),
    decodeRequest: ({ MutualChapSecret }) => [MutualChapSecret],
    ...noAnswer,
  },
};

/** A port above 65535 would be cut to another one by the original server. */
const portOf = (port: number): number => wholeNumber(port, 'the port of the iSCSI portal', 0xffff);

const encodePortal = ({ address, port }: IscsiPortal): TargetPortal => ({
  target_address: address,
  target_port: portOf(port),
});

/** The original server crashes on a request without portal. */
function decodePortal(portal: TargetPortal | null): IscsiPortal {
  if (portal === null) {
    throw new StorageError('invalid-argument', 'the request names no iSCSI portal: set target_portal');
  }
  return { address: portal.target_address, port: portOf(portal.target_port) };
}

interface WireAuthentication {
  readonly auth_type: AuthenticationType;
  readonly chap_username: string;
  readonly chap_secret: string;
}

const authenticationTypes = enumWords<IscsiAuthentication['type'], AuthenticationType>(
  'the type of the iSCSI authentication',
  { none: 'NONE', 'one-way-chap': 'ONE_WAY_CHAP', 'mutual-chap': 'MUTUAL_CHAP' },
);

const encodeAuthentication = (authentication: IscsiAuthentication): WireAuthentication => ({
  auth_type: authenticationTypes.toWire(authentication.type),
  chap_username: authentication.type === 'none' ? '' : authentication.username,
  chap_secret: authentication.type === 'none' ? '' : authentication.secret,
});

function decodeAuthentication(wire: WireAuthentication): IscsiAuthentication {
  const type = authenticationTypes.fromWire(wire.auth_type);
  return type === 'none' ? { type } : { type, username: wire.chap_username, secret: wire.chap_secret };
}
