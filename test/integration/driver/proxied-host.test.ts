import { describe } from '@jest/globals';
import { itSurvivesKills } from './kills.ts';

describe('the built driver behind a CSI Proxy, either killed at random moments', () => {
  itSurvivesKills('proxied', 20);
});
