import { describeWhere, LINUX_HOST } from '../../support/requires.ts';
import { itSurvivesKills } from './kills.ts';

describeWhere(LINUX_HOST, 'the built driver on the Linux host, killed at random moments', () => {
  itSurvivesKills('linux', 20);
});
