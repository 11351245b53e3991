/** Retention and erasure of personal data. */
export { eraseCall } from './erase-call';
export { createEraser, createRetentionRunner } from './eraser';
export { createErasure, getErasure } from './erasures';
export { getRetention, setRetention } from './retention';
