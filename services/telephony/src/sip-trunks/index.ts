/** SIP trunks of organizations, and calls over them. */
export { reportOfEnd, reportOfState } from './channel-report.rules';
export { identifyOf } from './pjsip-objects.rules';
export { announcementFor } from './spoken-announcement';
export { putObject, SipLines } from './sip-lines';
export {
  createSipTrunk,
  deleteSipTrunk,
  getSipTrunk,
  listSipTrunkPage,
  updateSipTrunk,
  keepTrunkOf,
} from './sip-trunks';
export { findSipTrunk, listSipTrunks, trunkOfNumber } from './sip-trunks.sql';
export { trunkPurpose } from './trunk-password';
