// Fills the placeholders in the texts of a query: {{namespace}} and {{name}}, of the Capp that is checked.
import { QueryFault } from './tokens.ts';

/** Of the Capp. */
export interface Confines {
  readonly namespace: string;
  readonly name: string;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** As Kubernetes names Capps and namespaces: it ends no text of a query. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Those of a CappSet are filled in before, when it writes the Capp. Throws QueryFault. */
export function placeholders(text: string, { namespace, name }: Confines): string {
  return text.replaceAll(PLACEHOLDER, (_whole, asked: string) => {
    if (asked === 'namespace') return namespace;
    if (asked === 'name') return name;
    throw new QueryFault(
      'its placeholders are {{namespace}} and {{name}}: a set fills in its own in its template alone',
    );
  });
}

/** Throws QueryFault. */
export function checkNames({ namespace, name }: Confines): void {
  if (!NAME.test(namespace) || !NAME.test(name))
    throw new QueryFault('the Capp has no name that can be asked for');
}
