import type { HostSystem, ServiceStartType, ServiceStatus } from '../../core/ports/host-storage.ts';
import type {
  Rpcs,
  ServiceStatus as WireStatus,
  StartType as WireStartType,
} from '../../gen/csi-proxy/system/v1alpha1.ts';
import { noAnswer, noArguments, type RequestHalf, type VersionCodec } from './version-codec.ts';
import { enumWords } from './wire-values.ts';

const startTypes = enumWords<ServiceStartType, WireStartType>('the start type of the service', {
  boot: 'BOOT',
  system: 'SYSTEM',
  automatic: 'AUTOMATIC',
  manual: 'MANUAL',
  disabled: 'DISABLED',
});

const statuses = enumWords<ServiceStatus, WireStatus>('the status of the service', {
  unknown: 'UNKNOWN',
  stopped: 'STOPPED',
  'start-pending': 'START_PENDING',
  'stop-pending': 'STOP_PENDING',
  running: 'RUNNING',
  'continue-pending': 'CONTINUE_PENDING',
  'pause-pending': 'PAUSE_PENDING',
  paused: 'PAUSED',
});

const ofName: RequestHalf<[string], { readonly name: string }> = {
  encodeRequest: ([name]) => ({ name }),
  decodeRequest: ({ name }) => [name],
};

/** System `v1alpha1`, the only one. */
export const systemV1alpha1: VersionCodec<HostSystem, Rpcs> = {
  getBiosSerialNumber: {
    rpc: 'GetBIOSSerialNumber',
    ...noArguments,
    encodeResponse: (serialNumber) => ({ serial_number: serialNumber }),
    decodeResponse: ({ serial_number }) => serial_number,
  },
  getService: {
    rpc: 'GetService',
    ...ofName,
    encodeResponse: ({ displayName, startType, status }) => ({
      display_name: displayName,
      start_type: startTypes.toWire(startType),
      status: statuses.toWire(status),
    }),
    decodeResponse: ({ display_name, start_type, status }) => ({
      displayName: display_name,
      startType: startTypes.fromWire(start_type),
      status: statuses.fromWire(status),
    }),
  },
  startService: { rpc: 'StartService', ...ofName, ...noAnswer },
  stopService: {
    rpc: 'StopService',
    encodeRequest: ([name, force]) => ({ name, force }),
    decodeRequest: ({ name, force }) => [name, force],
    ...noAnswer,
  },
};
