/** Vectors of chunks, made in the background by the server that a knowledge base names. */
export { EmbeddingAccounts } from './accounts';
export { Embedder, signsOf } from './embedder';
export { EmbeddingFailed } from './embedding-failed';
export { removeVectorsOfDocument } from './embeddings.sql';
export { embedNext, type EmbeddingWork } from './embed-next';
export { lockClaims } from './jobs.cross-tenant.sql';
export { dropEmbeddingJob, queueEmbeddings, restartEmbeddings } from './jobs.sql';
export { checkSettings, makesSameVectors, type EmbeddingSettings } from './settings';
