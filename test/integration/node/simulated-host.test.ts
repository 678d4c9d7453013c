import { simulatedHost } from '../../support/simulated-host.ts';
import { describeNodeLife } from './node-life.ts';

describeNodeLife('simulated', simulatedHost);
