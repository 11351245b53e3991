/** Following calls in progress: turns as they happen, and listening in. */
export { checkLease, listenToCall } from './listen-to-call';
export { watchCall } from './watch-call';
