// Finds types of one name that different files export: a name that crosses files says its thing.
import { parse, type ModuleItem } from '@swc/core';
import { SHARED } from './shared-names.ts';
import type { SourceText } from './violations.ts';

/**
 * One message for each name, with the files, the problem and the remedy. `shared`: how many files may still
 * export it. Tests may name their types as they like. Throws when a source is not valid TypeScript.
 */
export async function namesakes(
  sources: readonly SourceText[],
  shared: Readonly<Record<string, number>> = SHARED,
): Promise<string[]> {
  const files = new Map<string, string[]>();
  for (const { file, text } of sources.filter(({ file }) => !file.startsWith('test/')))
    for (const name of await exportedTypes(file, text)) files.set(name, [...(files.get(name) ?? []), file]);
  const names = new Set([...files.keys(), ...Object.keys(shared)]);
  return [...names].toSorted().flatMap((name) => sentence(name, files.get(name) ?? [], shared[name] ?? 1));
}

function sentence(name: string, files: readonly string[], allowed: number): string[] {
  if (files.length > allowed)
    return [
      `${files.join(', ')}: these export types of one name, ${name}. Give each a name that says its thing in the words of the glossary (README.md).`,
    ];
  if (allowed === 1 || files.length === allowed) return [];
  return files.length > 1
    ? [`lint/shared-names.ts: only ${files.length} files still export ${name}. Write that number for it.`]
    : [`lint/shared-names.ts: no two files export ${name} any more. Take it out.`];
}

/** Interfaces, aliases, classes and enums that are declared in the source, by the names that others see. */
async function exportedTypes(file: string, text: string): Promise<ReadonlySet<string>> {
  const { body } = await parse(text, {
    syntax: 'typescript',
    tsx: file.endsWith('.tsx'),
    target: 'es2024',
  });
  const declared = new Set(body.flatMap((item) => typeIn(item)));
  return new Set(body.flatMap((item) => namesFor(item, declared)));
}

function namesFor(item: ModuleItem, declared: ReadonlySet<string>): string[] {
  if (item.type === 'ExportDeclaration') return typeIn(item.declaration);
  if (item.type !== 'ExportNamedDeclaration' || (item.source ?? null) !== null) return [];
  return item.specifiers.flatMap((one) =>
    one.type === 'ExportSpecifier' && declared.has(one.orig.value) ? [(one.exported ?? one.orig).value] : [],
  );
}

function typeIn(item: ModuleItem): string[] {
  switch (item.type) {
    case 'ClassDeclaration':
      return [item.identifier.value];
    case 'TsInterfaceDeclaration':
    case 'TsTypeAliasDeclaration':
    case 'TsEnumDeclaration':
      return [item.id.value];
    default:
      return [];
  }
}
