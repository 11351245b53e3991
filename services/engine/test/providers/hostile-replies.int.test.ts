import { testHostileReplies } from './hostile-replies';
import { voice } from './subjects';

afterAll(() => voice.stop());

describe('50 hostile replies, of which none affects a later one, to', () => testHostileReplies(50, 7));
