import { limits, routes } from '@parley/contract';
import { internal } from '@parley/errors';
import { documentAnswer, rangedAnswer } from '../http';
import { route } from './route';
import { wholeUpload } from './uploads';

export const putRecordingPart = route(routes.putRecordingPart, async (request) => {
  const { params, query, body, organizationId, clients, context } = request;
  const content = await wholeUpload(body);
  const part = { organizationId, jobId: params.job_id, part: params.n, epoch: String(query.epoch ?? 0), content };
  const { document } = await clients.telephony.putRecordingPart(part, context);
  return documentAnswer(document);
});

export const putGatewayRecordingPart = route(routes.putGatewayRecordingPart, async (request) => {
  const { params, body, organizationId, clients, context } = request;
  const part = { organizationId, callId: params.call_id, part: params.n, content: await wholeUpload(body) };
  const { document } = await clients.telephony.putGatewayRecordingPart(part, context);
  return documentAnswer(document);
});

/** The audio is read from telephony chunk by chunk with backpressure. */
export const getRecordingAudio = route(routes.getRecordingAudio, async (request) => {
  const { params, query, organizationId, clients, context } = request;
  const { format = '' } = query;
  const ask = (from: number, most: number) =>
    clients.telephony.readRecordingAudio(
      { organizationId, callId: params.call_id, from: String(from), most, format },
      context,
      { idempotent: true },
    );
  const { mediaType, size, sha256 } = await ask(0, 0);
  return rangedAnswer({
    mediaType,
    size: Number(size),
    etag: `"${sha256}"`,
    async *read(from, to) {
      for (let at = from; at < to;) {
        const piece = await ask(at, Math.min(to - at, limits.recordingPartBytes));
        if (piece.content.length === 0 || piece.sha256 !== sha256)
          throw internal(new Error('a recording changed while it was read'));
        yield Buffer.from(piece.content);
        at += piece.content.length;
      }
    },
  });
});
