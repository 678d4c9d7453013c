import type { ControllerConfig } from '../config/modes.ts';
import { controllerService } from '../controller/controller-service.ts';
import { IdempotentBackend } from '../core/idempotent-backend.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { CsiService } from '../rpc/call.ts';
import { openFileBackend } from '../backends/file-backend.ts';
import { zoneTopology } from './zone-topology.ts';

export interface ControllerApp {
  readonly service: CsiService;
  readonly readiness: (signal: AbortSignal) => Promise<HostReadiness>;
}

/** Wires the Controller service to its pool. */
export async function openController(
  config: ControllerConfig,
  { log }: { readonly log: Logger },
): Promise<ControllerApp> {
  const opened = await openFileBackend({ log: log.child({ component: 'backend' }) }, config);
  return {
    service: controllerService(
      { backend: new IdempotentBackend(opened.backend) },
      { topology: zoneTopology(config.driverName, config.zone) },
    ),
    readiness: (signal) => opened.backend.readiness(signal),
  };
}
