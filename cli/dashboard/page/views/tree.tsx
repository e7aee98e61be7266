// The way from the Capp on the hub to what runs on its site.
import type { Branch } from '../../../explain/tree/branch.ts';
import { Mark } from '../parts/mark.tsx';

export function Tree({ branch }: { readonly branch: Branch }) {
  return (
    <ul class="tree">
      <BranchLine branch={branch} />
    </ul>
  );
}

function BranchLine({ branch: { kind, name, on, tone, says, branches } }: { readonly branch: Branch }) {
  return (
    <li>
      <span class="branch">
        <Mark tone={tone} />
        <span>
          <span class="dim">{kind}</span> <strong>{name}</strong> <span class="tag">{on}</span>{' '}
          <span class="dim small">{says}</span>
        </span>
      </span>
      {branches.length === 0 ? null : (
        <ul>
          {branches.map((one, at) => (
            <BranchLine key={`${one.kind}${one.name}${one.on}${at}`} branch={one} />
          ))}
        </ul>
      )}
    </li>
  );
}
