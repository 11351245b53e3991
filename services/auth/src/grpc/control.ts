import { MaintenanceUpdate, validate } from '@parley/contract';
import {
  AuditEntry,
  ControlState,
  ListAuditLogResponse,
  Maintenance,
  type AuthServiceServer,
} from '@parley/proto/auth';
import { documentOf, type Database, type UnaryHandlers } from '@parley/runtime';
import { maintenanceOf } from '../domain/maintenance';
import type { AuditRecord } from '../domain/records';
import { getControlState } from '../usecases/get-control-state';
import { getMaintenance } from '../usecases/get-maintenance';
import { listAuditLog } from '../usecases/list-audit-log';
import { setMaintenance } from '../usecases/set-maintenance';
import { callerOf, operatorOf, organizationFor } from './caller';

type ControlHandlers = Pick<
  UnaryHandlers<AuthServiceServer>,
  'getControlState' | 'setMaintenance' | 'getMaintenance' | 'listAuditLog'
>;

/** Handlers of the polled control state, the maintenance window and the audit log. */
export function controlHandlers(db: Database): ControlHandlers {
  return {
    async getControlState(request) {
      return ControlState.fromPartial(await getControlState(db, request.sinceEpoch));
    },

    async setMaintenance(request, context) {
      const caller = operatorOf(context);
      const { value } = validate(MaintenanceUpdate, {
        active: request.active,
        ...(request.retryAfterSeconds === 0 ? {} : { retry_after_seconds: request.retryAfterSeconds }),
        ...(request.startsAt === '' ? {} : { starts_at: request.startsAt }),
        ...(request.endsAt === '' ? {} : { ends_at: request.endsAt }),
        ...(request.message === '' ? {} : { message: request.message }),
      });
      return Maintenance.fromPartial(await setMaintenance(db, caller, maintenanceOf(value)));
    },

    async getMaintenance() {
      return Maintenance.fromPartial(await getMaintenance(db));
    },

    async listAuditLog(request, context) {
      const organizationId = organizationFor(callerOf(context), request.organizationId);
      const page = await listAuditLog(db, organizationId, request.page);
      return ListAuditLogResponse.fromPartial({ entries: page.items.map(entryOf), nextCursor: page.nextCursor });
    },
  };
}

const entryOf = (record: AuditRecord): AuditEntry =>
  AuditEntry.fromPartial({ ...record, detail: documentOf('AuditDetail', record.detail) });
