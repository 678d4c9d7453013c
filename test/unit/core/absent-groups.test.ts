import { describe, expect, it } from '@jest/globals';
import { absentGroups } from '../../../src/core/absent-groups.ts';

const SIGNAL = new AbortController().signal;

describe('absentGroups', () => {
  it('law 11: refuses every call of a group that a host has not, and says which', async () => {
    const { iscsi, smb, system } = absentGroups('small');
    const calls = [
      smb.removeSmbGlobalMapping('\\\\server\\share', SIGNAL),
      iscsi.listTargetPortals(SIGNAL),
      system.getService('MSiSCSI', SIGNAL),
    ];
    const refusals = await Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
    expect(refusals).toMatchObject([
      { code: 'unimplemented', message: 'cannot removeSmbGlobalMapping: the small host has no SMB' },
      { code: 'unimplemented', message: 'cannot listTargetPortals: the small host has no iSCSI' },
      { code: 'unimplemented', message: 'cannot getService: the small host has no services' },
    ]);
  });

  it('can be awaited: a group is no promise', async () => {
    const { smb } = absentGroups('small');
    await expect(Promise.resolve(smb)).resolves.toBe(smb);
  });
});
