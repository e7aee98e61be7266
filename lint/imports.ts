// The imports of a source, from its syntax tree: import and export statements, `import()` and `require()`.
import { parse, type Module } from '@swc/core';

export interface Import {
  /** The relative path or package, as written. */
  readonly from: string;
  /** Only types are imported. */
  readonly isType: boolean;
}

/** `tsx`: it may hold JSX. Throws when the source is not valid TypeScript. */
export async function importsOf(source: string, tsx = false): Promise<Import[]> {
  const module = await parse(source, { syntax: 'typescript', tsx, target: 'es2024' });
  return [...statements(module), ...calls(module)];
}

function statements({ body }: Module): Import[] {
  return body.flatMap((item): Import[] => {
    switch (item.type) {
      case 'ImportDeclaration':
        return [{ from: item.source.value, isType: item.typeOnly }];
      case 'ExportAllDeclaration':
        return [{ from: item.source.value, isType: isTypeOnly(item) }];
      case 'ExportNamedDeclaration':
        return item.source === null || item.source === undefined
          ? []
          : [{ from: item.source.value, isType: isTypeOnly(item) }];
      default:
        return [];
    }
  });
}

/** swc's types lack this field. */
function isTypeOnly(item: object): boolean {
  return 'typeOnly' in item && item.typeOnly === true;
}

/**
 * Calls of `import` and `require`, and types such as `import('…')`, anywhere in the source. A computed name
 * is reported as such.
 */
function calls(node: unknown): Import[] {
  if (Array.isArray(node)) return node.flatMap(calls);
  if (typeof node !== 'object' || node === null) return [];
  const within = Object.values(node).flatMap(calls);
  const found = called(node as Record<string, unknown>);
  return found === null ? within : [found, ...within];
}

function called(node: Record<string, unknown>): Import | null {
  if (node['type'] === 'TsImportType')
    return { from: (node['argument'] as { value: string }).value, isType: true };
  if (node['type'] === 'TsImportEqualsDeclaration') return { from: 'import = require', isType: false };
  if (node['type'] !== 'CallExpression') return null;
  const { type, value } = node['callee'] as { type: string; value?: string };
  if (type !== 'Import' && !(type === 'Identifier' && value === 'require')) return null;
  const [first] = node['arguments'] as readonly { expression: { type: string; value?: string } }[];
  return {
    from: first?.expression.type === 'StringLiteral' ? (first.expression.value ?? '') : 'a computed name',
    isType: false,
  };
}
