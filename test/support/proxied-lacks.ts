import { API_GROUPS, API_VERSIONS, EXTENSION_VERSION, type Pipe } from '../../src/proxyapi/api-versions.ts';
import { shortcomingsOf } from '../../src/proxyapi/shortcomings.ts';
import type { HostUnderTest, Lack } from '../contract/host-storage/bench.ts';

/** What has an rpc only beside `v1`. */
const ONLY_IN_EXTENSION = ['getClosestVolumeIdFromTargetPath', 'rmdirContents'];
/** Methods of which the client makes up for the missing rpc. */
const MADE_UP_FOR = ['getDiskNumberByPage83'];
/** Versions that cannot say which partition. */
const WITHOUT_PARTITIONS = ['v1beta2', 'v1beta1', 'v1alpha1'];

/** What a host cannot do through these pipes, in the words of the contract suite. */
export function lacksThrough(behind: HostUnderTest, pipes: readonly Pipe[]): readonly Lack[] {
  const missing = API_GROUPS.flatMap((group) => {
    const offered = pipes.filter((pipe) => pipe.group === group).map((pipe) => pipe.version);
    const version = API_VERSIONS[group].find((one) => offered.includes(one));
    if (version === undefined) return [];
    const methods = shortcomingsOf({ group, version }).flatMap((shortcoming) => shortcoming.methods);
    const lacking = methods.filter(
      (method) =>
        !MADE_UP_FOR.includes(method) &&
        !(ONLY_IN_EXTENSION.includes(method) && offered.includes(EXTENSION_VERSION)),
    );
    return group === 'volume' && WITHOUT_PARTITIONS.includes(version) ? [...lacking, 'partitions'] : lacking;
  });
  return [...behind.lacks, ...(missing as readonly Lack[])];
}
