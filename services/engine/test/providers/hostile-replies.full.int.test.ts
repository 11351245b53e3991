import { testHostileReplies } from './hostile-replies';
import { voice } from './subjects';

afterAll(() => voice.stop());

describe('10,000 hostile replies, of which none affects a later one, to', () => testHostileReplies(10_000, 11));
