import { simulatedRecording } from './job-reporter';

const turn = { speaker: 'agent', text: 'Hello!', started_ms: 100, ended_ms: 900 } as const;

describe('the recording of a simulated call', () => {
  it('has the format simulated, the duration of the turns, and contains the turns', () => {
    const { recording } = simulatedRecording([turn, { ...turn, started_ms: 1_000, ended_ms: 2_500 }]);
    expect(recording).toMatchObject({ format: 'simulated', duration_ms: 2_500 });
    const content: unknown = JSON.parse(Buffer.from(recording?.data ?? '', 'base64').toString());
    expect(content).toMatchObject({ simulated: true, turns: [turn, { ended_ms: 2_500 }] });
  });

  it('is omitted for an unanswered call, and if it exceeds the size limit', () => {
    expect(simulatedRecording(null)).toEqual({});
    expect(simulatedRecording([{ ...turn, text: 'x'.repeat(720 * 1024) }])).toEqual({});
  });
});
