/** Following a call that goes on. */
export { checkLease, listenToCall } from './listen-to-call';
export { watchCall } from './watch-call';
