import { StorageError } from './errors.ts';
import type { HostIscsi, HostSmb, HostStorage, HostSystem } from './ports/host-storage.ts';

type AbsentGroup = HostSmb & HostIscsi & HostSystem;

/** Groups of a host that has none of them: every call is `unimplemented` and says so. */
export function absentGroups(kind: string): Pick<HostStorage, 'smb' | 'iscsi' | 'system'> {
  return { smb: absent(kind, 'SMB'), iscsi: absent(kind, 'iSCSI'), system: absent(kind, 'services') };
}

/** All three at once: a method that is called is refused, whatever its group. */
function absent(kind: string, what: string): AbsentGroup {
  const refuse = (method: string) => (): Promise<never> =>
    Promise.reject(new StorageError('unimplemented', `cannot ${method}: the ${kind} host has no ${what}`));
  return new Proxy({} as AbsentGroup, {
    get: (_target, property) =>
      typeof property === 'string' && property !== 'then' ? refuse(property) : undefined,
  });
}
