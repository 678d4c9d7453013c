import type { HostSmb, SmbMapping } from '../../core/ports/host-storage.ts';
import type { NewSmbGlobalMappingRequest, Rpcs } from '../../gen/csi-proxy/smb/v1.ts';
import type { Rpcs as OldRpcs } from '../../gen/csi-proxy/smb/v1beta1.ts';
import { answersError } from './error-field.ts';
import { noAnswer, type RequestHalf, type VersionCodec } from './version-codec.ts';

const ofMapping: RequestHalf<[SmbMapping], NewSmbGlobalMappingRequest> = {
  encodeRequest: ([mapping]) => ({
    remote_path: mapping.remotePath,
    local_path: mapping.localPath,
    username: mapping.username,
    password: mapping.password,
  }),
  decodeRequest: (request) => [
    {
      remotePath: request.remote_path,
      localPath: request.local_path,
      username: request.username,
      password: request.password,
    },
  ],
};

const ofRemotePath: RequestHalf<[string], { readonly remote_path: string }> = {
  encodeRequest: ([remotePath]) => ({ remote_path: remotePath }),
  decodeRequest: ({ remote_path }) => [remote_path],
};

/** SMB `v1` and `v1beta2`. */
export const smbV1: VersionCodec<HostSmb, Rpcs> = {
  newSmbGlobalMapping: { rpc: 'NewSmbGlobalMapping', ...ofMapping, ...noAnswer },
  removeSmbGlobalMapping: { rpc: 'RemoveSmbGlobalMapping', ...ofRemotePath, ...noAnswer },
};

/** SMB `v1beta1` and `v1alpha1`. */
export const smbV1beta1: VersionCodec<HostSmb, OldRpcs> = {
  newSmbGlobalMapping: {
    rpc: 'NewSmbGlobalMapping',
    ...ofMapping,
    ...answersError('NewSmbGlobalMapping'),
  },
  removeSmbGlobalMapping: {
    rpc: 'RemoveSmbGlobalMapping',
    ...ofRemotePath,
    ...answersError('RemoveSmbGlobalMapping'),
  },
};
