import { DueFloor, systemClock } from '@parley/runtime';

/** The time from which queues are read by when they were served last; see `DueFloor`. A new queue counts as served a minute ago. `readWaitingSince` moves it. */
export const queueFloor = new DueFloor(systemClock);
