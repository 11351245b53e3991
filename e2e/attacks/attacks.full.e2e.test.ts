import { allFamilies, attack } from './families';

describe('attacks', () => attack(allFamilies));
