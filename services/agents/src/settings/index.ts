/** Settings of agents that are resources of their own. */
export { changeSetting, getSetting } from './settings';
