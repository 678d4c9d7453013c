import { describe } from '@jest/globals';
import { itSurvivesKills } from './kills.ts';

describe('the built driver on the simulated host, killed at random moments', () => {
  itSurvivesKills('simulated', 20);
});
