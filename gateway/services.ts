// Every call of Temporal's services, as gRPC knows them, with bytes for messages: what is refused is never
// decoded.
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { temporal, grpc } from './protocol.ts';

const bytes = (value: Buffer): Buffer => value;

/** Temporal answers under these names; the rules are for the first alone. */
const SERVICES = {
  'temporal.api.workflowservice.v1.WorkflowService': temporal.api.workflowservice.v1.WorkflowService,
  'temporal.api.operatorservice.v1.OperatorService': temporal.api.operatorservice.v1.OperatorService,
  'grpc.health.v1.Health': grpc.health.v1.Health,
};
export const RULED = 'temporal.api.workflowservice.v1.WorkflowService';

export interface GatewayService {
  readonly name: string;
  readonly definition: ServiceDefinition;
}

export function servicesOfTemporal(): GatewayService[] {
  return Object.entries(SERVICES).map(([name, service]) => ({
    name,
    definition: Object.fromEntries(methodsOf(service).map((method) => [method, definitionOf(name, method)])),
  }));
}

/** The generated classes are reflections, which list their calls by name. */
function methodsOf(service: unknown): string[] {
  return Object.keys((service as { readonly methods: Readonly<Record<string, unknown>> }).methods);
}

function definitionOf(service: string, method: string): MethodDefinition<Buffer, Buffer> {
  return {
    path: `/${service}/${method}`,
    originalName: method,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
}
