/** Which knowledge bases agents answer from; the bases themselves are another service's. */
export { assignBases, getAssignedBases } from './assign-bases';
export { Knowledge, assignedBases } from './missing-bases';
