import { describeHostStorage } from './host-storage.contract.ts';
import { simulatedHost } from '../support/simulated-host.ts';

describeHostStorage('simulated', () => simulatedHost());
describeHostStorage('simulated, disks arrive online', () => simulatedHost('online'));
