import { limits, routes } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import { addNumber, complete, freshNumber, report } from './test-caller';
import { gatewayCaller, ringAt, tellOf } from './gateway-of';
import {
  audioOf,
  completeParts,
  putGatewayPart,
  putPart,
  recordingOf,
  sha256Of,
  soundOf,
  talkedCall,
  togetherOf,
  wholeAudioOf,
} from './recording-of';
import { refusal } from './refusal';
import type { Instance } from './telephony-under-test';
import { WorkerJobs } from './worker-jobs';

const hungUp = { type: 'ended', ended_reason: 'callee_hung_up' };

describe('recordings uploaded in parts', () => {
  const workers = WorkerJobs.ofFile();
  const talked = (options = {}) => talkedCall(workers.under, workers.telephony, options);
  const ready = (organizationId: string, callId: string) =>
    eventually(() => recordingOf(workers.second, organizationId, callId).catch(() => undefined));

  it('become one recording when the call is completed, readable whole and in ranges, with one event', async () => {
    const { agent, call, job } = await talked();
    const { organizationId } = agent;
    const parts = [soundOf(limits.recordingPartBytes), soundOf(limits.recordingPartBytes), soundOf(1_600)];
    for (const [place, content] of parts.entries()) {
      const stored = { call_id: call.call_id, part: place + 1, size_bytes: content.length, sha256: sha256Of(content) };
      // Through either replica, and then again through the other.
      expect(await putPart(workers.telephony, job, place + 1, content)).toEqual(stored);
      expect(await putPart(workers.second, job, place + 1, content)).toEqual(stored);
    }
    const completed = await completeParts(workers.telephony, job, parts);
    expect(completed).toEqual({
      call_id: call.call_id,
      parts: 3,
      duration_ms: 131_172,
      size_bytes: 2_098_752,
      sha256: sha256Of(...parts),
    });
    expect(await completeParts(workers.second, job, parts)).toEqual(completed);
    expect(await refusal(recordingOf(workers.telephony, organizationId, call.call_id))).toEqual([404, 'NotFoundError']);
    expect(await refusal(audioOf(workers.telephony, organizationId, call.call_id))).toEqual([404, 'NotFoundError']);

    await report(workers.telephony, job, 2, hungUp);
    await complete(workers.telephony, job);
    const record = await ready(organizationId, call.call_id);
    const audio = await wholeAudioOf(workers.telephony, organizationId, call.call_id);
    expect(audio.subarray(58).equals(Buffer.concat(parts))).toBe(true);
    expect([audio.toString('latin1', 0, 4), audio.toString('latin1', 8, 16)]).toEqual(['RIFF', 'WAVEfmt ']);
    expect([audio.readUInt16LE(20), audio.readUInt16LE(22), audio.readUInt32LE(24)]).toEqual([7, 2, 8_000]);
    expect(record).toEqual({
      call_id: call.call_id,
      format: 'wav',
      simulated: false,
      duration_ms: 131_172,
      size_bytes: 58 + 2_098_752,
      sha256: sha256Of(audio),
      data: null,
      created_at: expect.any(String) as string,
    });
    expect((await workers.eventTypes(call.call_id)).filter((type) => type === 'call.recording.ready')).toHaveLength(1);

    const piece = await audioOf(workers.second, organizationId, call.call_id, 1_048_600, 100);
    expect(piece).toMatchObject({ mediaType: 'audio/wav', size: String(audio.length), sha256: sha256Of(audio) });
    expect(Buffer.from(piece.content).equals(audio.subarray(1_048_600, 1_048_700))).toBe(true);
    const stranger = workers.under.fakes.addAgent();
    expect(await refusal(audioOf(workers.telephony, stranger.organizationId, call.call_id))).toEqual([
      404,
      'NotFoundError',
    ]);
  });

  it('of concurrent uploads of one part, equal ones are stored once, and of different ones exactly one is accepted', async () => {
    const { agent, call, job } = await talked();
    const sound = soundOf(100_000);
    const replicas = [workers.telephony, workers.second];
    const same = await Promise.all([0, 1, 2, 3].map((n) => putPart(replicas[n % 2] as Instance, job, 1, sound)));
    expect(new Set(same.map(({ sha256 }) => sha256))).toEqual(new Set([sha256Of(sound)]));
    const others = [soundOf(1_600), soundOf(1_600), soundOf(1_600)];
    const answers = await Promise.allSettled(
      others.map((other, n) => putPart(replicas[n % 2] as Instance, job, 2, other)),
    );
    const taken = answers.findIndex(({ status }) => status === 'fulfilled');
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const parts = [sound, others[taken] as Buffer];
    const completed = await Promise.all(replicas.map((replica) => completeParts(replica, job, parts)));
    expect(completed[0]).toEqual(completed[1]);
    await report(workers.telephony, job, 2, hungUp);
    await complete(workers.telephony, job);
    await ready(agent.organizationId, call.call_id);
    const audio = await wholeAudioOf(workers.telephony, agent.organizationId, call.call_id);
    expect(audio.subarray(58).equals(Buffer.concat(parts))).toBe(true);
    expect((await workers.eventTypes(call.call_id)).filter((type) => type === 'call.recording.ready')).toHaveLength(1);
  });

  it('a short recording is also included in the record as base64', async () => {
    const { agent, call, job } = await talked();
    const sound = soundOf(160);
    await putPart(workers.telephony, job, 1, sound);
    await completeParts(workers.telephony, job, [sound]);
    await report(workers.telephony, job, 2, hungUp);
    await complete(workers.telephony, job);
    const { data, size_bytes: size } = await ready(agent.organizationId, call.call_id);
    const audio = Buffer.from(data ?? '', 'base64');
    expect([audio.length, size, audio.subarray(58).equals(sound)]).toEqual([218, 218, true]);
  });

  it('a recording sent with the completion of the call does not replace one uploaded in parts', async () => {
    const { agent, call, job } = await talked();
    const sound = soundOf(160);
    await putPart(workers.telephony, job, 1, sound);
    await completeParts(workers.telephony, job, [sound]);
    await report(workers.telephony, job, 2, hungUp);
    await complete(workers.telephony, job, undefined, '', { format: 'wav', duration_ms: 1, data: 'UklGRg==' });
    expect(await ready(agent.organizationId, call.call_id)).toMatchObject({ size_bytes: 218, duration_ms: 10 });
    expect((await workers.eventTypes(call.call_id)).filter((type) => type === 'call.recording.ready')).toHaveLength(1);
  });

  describe('a part is rejected', () => {
    it('if recording is disabled for the call', async () => {
      const { job } = await talked({ recordingEnabled: false });
      expect(await refusal(putPart(workers.telephony, job, 1, soundOf(2)))).toEqual([409, 'ConflictError']);
    });

    it('before the call is answered', async () => {
      const { job } = await talked({ events: ['dialing'] });
      expect(await refusal(putPart(workers.telephony, job, 1, soundOf(2)))).toEqual([409, 'ConflictError']);
    });

    it('if the same part was stored with other content', async () => {
      const { job } = await talked();
      await putPart(workers.telephony, job, 1, soundOf(20));
      expect(await refusal(putPart(workers.telephony, job, 1, soundOf(20)))).toEqual([409, 'ConflictError']);
    });

    it('with a stale epoch (409), for an unknown job, and from another organization (404)', async () => {
      const { job } = await talked();
      const { job_id, epoch } = job;
      const stale = putPart(workers.telephony, { job_id, epoch: epoch + 1 }, 1, soundOf(2));
      expect(await refusal(stale)).toEqual([409, 'ConflictError']);
      const none = putPart(workers.telephony, { job_id: 'job_00000000000000000000000000', epoch }, 1, soundOf(2));
      expect(await refusal(none)).toEqual([404, 'NotFoundError']);
      const { organizationId } = workers.under.fakes.addAgent();
      const foreign = putPart(workers.telephony, job, 1, soundOf(2), customerCaller(organizationId));
      expect(await refusal(foreign)).toEqual([404, 'NotFoundError']);
    });

    it('with an invalid part number, size or epoch (400)', async () => {
      const { job } = await talked();
      expect(await refusal(putPart(workers.telephony, job, 0, soundOf(3)))).toEqual([400, 'BadRequestError']);
      expect(await refusal(putPart(workers.telephony, { ...job, epoch: 0 }, 1, soundOf(2)))).toEqual([
        400,
        'BadRequestError',
      ]);
    });

    it('after the recording was completed, unless it repeats a stored part', async () => {
      const { job } = await talked();
      const sound = soundOf(160);
      await putPart(workers.telephony, job, 1, sound);
      await completeParts(workers.telephony, job, [sound]);
      expect(await putPart(workers.telephony, job, 1, sound)).toMatchObject({ part: 1 });
      expect(await refusal(putPart(workers.telephony, job, 2, sound))).toEqual([409, 'ConflictError']);
    });

    it('with 413 if it exceeds the maximum size of a recording', async () => {
      const { call, job } = await talked();
      await putPart(workers.telephony, job, 1, soundOf(2));
      // All but the last frame, without bytes: only the index determines the duration.
      await workers.under.db.query({
        text: `insert into recording_parts (call_id, part, organization_id, size_bytes, sha256, stored_at)
               select call_id, 2, organization_id, $2, '', now() from recording_uploads where call_id = $1`,
        values: [call.call_id, limits.recordingBytes - 6],
      });
      const tooMuch = putPart(workers.telephony, job, 3, soundOf(6));
      expect(await refusal(tooMuch)).toEqual([413, 'PayloadTooLargeError']);
      expect(await putPart(workers.telephony, job, 3, soundOf(4))).toMatchObject({ size_bytes: 4 });
    });
  });

  it.each<[string, object, [number, string]]>([
    ['fewer parts', { parts: 1 }, [409, 'ConflictError']],
    ['more parts', { parts: 3 }, [409, 'ConflictError']],
    ['another digest', { sha256: '0'.repeat(64) }, [409, 'ConflictError']],
    ['another length', { duration_ms: 221 }, [400, 'BadRequestError']],
    ['another format', { format: 'wav' }, [400, 'BadRequestError']],
    ['another epoch', { epoch: 99 }, [409, 'ConflictError']],
    ['no parts', { parts: 0 }, [400, 'BadRequestError']],
  ])(
    'a completion of the recording with %s is rejected, and the correct one is accepted afterwards',
    async (_what, change, error) => {
      const { job } = await talked();
      const parts = [soundOf(1_600), soundOf(1_600)];
      await putPart(workers.telephony, job, 2, parts[1] as Buffer);
      await putPart(workers.telephony, job, 1, parts[0] as Buffer);
      expect(await refusal(completeParts(workers.telephony, job, parts, change))).toEqual(error);
      expect(await completeParts(workers.telephony, job, parts)).toMatchObject({ parts: 2 });
      expect(await refusal(completeParts(workers.telephony, job, parts, { sha256: '0'.repeat(64) }))).toEqual([
        409,
        'ConflictError',
      ]);
    },
  );

  it('a completion without parts or with a missing part gets 409', async () => {
    const { job } = await talked();
    expect(await refusal(completeParts(workers.telephony, job, [soundOf(2)]))).toEqual([409, 'ConflictError']);
    const [first, third] = [soundOf(160), soundOf(160)];
    await putPart(workers.telephony, job, 1, first);
    await putPart(workers.telephony, job, 3, third);
    expect(await refusal(completeParts(workers.telephony, job, [first, third]))).toEqual([409, 'ConflictError']);
    expect(await refusal(completeParts(workers.telephony, job, [first, third], { parts: 3 }))).toEqual([
      409,
      'ConflictError',
    ]);
  });

  it('of an incoming call are accepted from its own media gateway only', async () => {
    const agent = workers.under.fakes.addAgent({ recordingEnabled: true });
    const { organizationId, agentId } = agent;
    const to = await addNumber(workers.telephony, agent, freshNumber(), { inboundAgentId: agentId });
    const line = { to, from: freshNumber(), gateway_call_id: 'rec-1' };
    const { call } = await ringAt(workers.telephony, gatewayCaller(organizationId), line);
    const callId = call.call_id;
    await tellOf(workers.telephony, { organizationId, callId }, 1, { type: 'answered' });
    const sound = soundOf(320);
    const other = gatewayCaller(organizationId, 'elsewhere');
    const foreign = putGatewayPart(workers.telephony, { organizationId, callId }, 1, sound, other);
    expect(await refusal(foreign)).toEqual([404, 'NotFoundError']);
    const stored = await putGatewayPart(workers.telephony, { organizationId, callId }, 1, sound);
    expect(stored).toMatchObject({ call_id: callId, part: 1, size_bytes: 320 });
    await tellOf(workers.telephony, { organizationId, callId }, 2, { type: 'ended' });
    const completion = {
      caller: gatewayCaller(organizationId),
      params: { call_id: callId },
      body: togetherOf([sound]),
    };
    const { body } = await workers.telephony.request(routes.completeGatewayRecording, completion);
    expect(body).toMatchObject({ call_id: callId, parts: 1, duration_ms: 20 });
    expect(await ready(organizationId, callId)).toMatchObject({ format: 'wav', duration_ms: 20 });
  });

  it('from a media gateway get 404 for a call conducted by a worker', async () => {
    const { agent, call } = await talked();
    const { organizationId } = agent;
    const part = putGatewayPart(workers.telephony, { organizationId, callId: call.call_id }, 1, soundOf(2));
    expect(await refusal(part)).toEqual([404, 'NotFoundError']);
  });
});
