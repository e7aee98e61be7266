// Kubernetes quantities ("200Gi", "100m", 2), the one choice of types that a structural schema knows.
import { z } from 'zod';

/** What a quantity looks like when it is a string. */
export const PATTERN =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

export const Quantity = z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true, pattern: PATTERN });

export const ResourceQuantities = z.record(z.string(), Quantity);
