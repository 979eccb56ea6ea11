/**
 * The bundle as the reference site shows it: every statement says where it comes from.
 * `x-source` and `x-assumption` become a line at the end of the description, since readers do not see extensions.
 */

import type { Bundle, Json, JsonObject } from '../../contract/src/model.ts';
import { assumptionAddress } from '../artifacts/introduction.ts';

/** A copy of the bundle in which every description ends with what is specified and what is assumed. */
export function annotate(bundle: Bundle): Bundle {
  const copy = structuredClone(bundle);
  const statements = [copy.tags, copy.paths, copy.webhooks, copy.components] as unknown as Json[];
  for (const part of statements) addBasis(part);
  copy.info.description = introduce(copy.info);
  copy.servers = copy.servers.map(fillServer);
  return copy;
}

/** The line itself, or nothing for a place that names neither a section nor an assumption. */
export function basisLine(node: { [key: string]: Json }): string {
  const sections = list(node['x-source']);
  const ids = list(node['x-assumption']);
  const specified =
    sections.length > 0 ? [`Specified: section${sections.length > 1 ? 's' : ''} ${sections.join(', ')}.`] : [];
  const assumed =
    ids.length > 0 ? [`Assumed: ${ids.map((id) => `[${id}](${assumptionAddress(id)})`).join(', ')}.`] : [];
  const line = [...specified, ...assumed].join(' ');
  return line && `<small>${line}</small>`;
}

function addBasis(node: Json): void {
  if (Array.isArray(node)) {
    for (const item of node) addBasis(item);
  } else if (node !== null && typeof node === 'object') {
    for (const [key, value] of Object.entries(node)) if (key !== 'examples') addBasis(value);
    const line = basisLine(node);
    if (line) node['description'] = [descriptionOf(node), line].filter(Boolean).join('\n\n');
  }
}

function descriptionOf(node: JsonObject): string {
  return typeof node['description'] === 'string' ? node['description'].trimEnd() : '';
}

function list(value: Json | undefined): string[] {
  return value === undefined ? [] : [value].flat().map(String);
}

/** The introduction with the document's own basis before its first section. */
function introduce(info: Bundle['info']): string {
  return info.description.replace(/\n(?=# )/, `\n${basisLine(info)}\n\n`);
}

/** Redoc takes a template such as `{base_url}` for a path of its own host, so the default replaces it; and shows backticks literally. */
function fillServer(server: Bundle['servers'][number]): Bundle['servers'][number] {
  const { variables = {}, ...rest } = server;
  const url = server.url.replace(/\{(\w+)\}/g, (name, variable: string) => variables[variable]?.default ?? name);
  const { description } = server as { description?: string };
  return { ...rest, url, ...(description && { description: description.replaceAll('`', '') }) };
}
