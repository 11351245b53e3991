/** Retention and erasure. */
export { eraseCall } from './erase-call';
export { createEraser } from './eraser';
export { createErasure, getErasure } from './erasures';
export { getRetention, setRetention } from './retention';
export { createRetentionRunner } from './retention-runner';
