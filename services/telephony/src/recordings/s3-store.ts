import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { RecordingObjectUnreadable, type RecordingStore } from './recording-store';

export interface S3Settings {
  /** Of a server that speaks S3; undefined: AWS itself. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const timeoutMs = 10_000;
const fileTimeoutMs = 60_000;

/** Objects of a bucket that the installation has made, with its own rules for encryption, copies and age. */
export class S3RecordingStore implements RecordingStore {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings) {
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Other servers than AWS seldom have a host name for each bucket.
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Servers that speak S3 need not know the checksums that AWS came up with later; the index has one of every part.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  put(key: string, content: Buffer): Promise<void> {
    return this.putOnce(key, content, AbortSignal.timeout(timeoutMs));
  }

  async putOnce(key: string, content: Buffer, signal: AbortSignal): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: key,
      Body: content,
      ContentType: 'application/octet-stream',
    });
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]);
    await this.client.send(command, { abortSignal });
  }

  async read(key: string, from: number, to: number): Promise<Buffer> {
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: key, Range: `bytes=${from}-${to - 1}` });
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const { Body: body } = await this.client.send(command, { abortSignal }).catch((error: unknown) => {
      throw isMissing(error) ? new RecordingObjectUnreadable(key, 'is not there', { cause: error }) : error;
    });
    if (body === undefined) throw new RecordingObjectUnreadable(key, 'is empty');
    return Buffer.from(await body.transformToByteArray());
  }

  async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.bucket, Key: key });
    await this.client.send(command, { abortSignal: AbortSignal.timeout(timeoutMs) });
  }
}

/** Of a bucket that is not there that is not said: it may come back. */
const isMissing = (error: unknown): boolean => error instanceof S3ServiceException && error.name === 'NoSuchKey';
