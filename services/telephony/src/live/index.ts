/** Following a call in progress. */
export { checkLease, listenToCall } from './listen-to-call';
export { watchCall } from './watch-call';
