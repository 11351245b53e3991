/** Following a call that goes on. */
export { watchCall } from './watch-call';
