import { simulatedRecording } from './job-reporter';

const turn = { speaker: 'agent', text: 'Hello!', started_ms: 100, ended_ms: 900 } as const;

describe('the recording of a simulated call', () => {
  it('is named simulated, is as long as what was said, and holds the turns', () => {
    const { recording } = simulatedRecording([turn, { ...turn, started_ms: 1_000, ended_ms: 2_500 }]);
    expect(recording).toMatchObject({ format: 'simulated', duration_ms: 2_500 });
    const content: unknown = JSON.parse(Buffer.from(recording?.data ?? '', 'base64').toString());
    expect(content).toMatchObject({ simulated: true, turns: [turn, { ended_ms: 2_500 }] });
  });

  it('is not there for a call that no one answered, nor if it would not be taken', () => {
    expect(simulatedRecording(null)).toEqual({});
    expect(simulatedRecording([{ ...turn, text: 'x'.repeat(720 * 1024) }])).toEqual({});
  });
});
