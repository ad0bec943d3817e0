import {
  crewAddBodySchema,
  crewSchema,
  crewUpdateBodySchema,
  type Crew,
  type CrewConfig,
  type CrewMember,
} from '@netaclaw/contracts';
import { useEditor, type Editor } from '../../composables/use-editor.js';
import { addCrew, updateCrew } from './service.js';

/** What an editor changes of a crew. */
export const crewKeys = [
  'name',
  'label',
  'description',
  'masterAgentId',
  'members',
  'maxDepth',
  'maxParallel',
  'status',
] as const satisfies readonly (keyof CrewConfig)[];

export const crewDraftOf = (crew: Crew): CrewConfig => ({
  name: crew.name,
  label: crew.label,
  description: crew.description,
  masterAgentId: crew.masterAgentId,
  members: crew.members,
  maxDepth: crew.maxDepth,
  maxParallel: crew.maxParallel,
  status: crew.status,
});

/** What a crew begins as; the limits are what the server would add by itself. */
export const blankCrew: Crew = {
  id: 0,
  version: 1,
  createTime: '',
  updateTime: '',
  name: '',
  label: '',
  description: '',
  masterAgentId: 0,
  members: [],
  maxDepth: 1,
  maxParallel: 8,
  status: 1,
};

export type CrewEditor = Editor<Crew, CrewConfig>;

/** Edits a crew, or adds one when there is none yet. */
export function useCrewEditor(crew: Crew | null): CrewEditor {
  const common = { pick: crewDraftOf, keys: crewKeys, rowSchema: crewSchema };
  if (crew) {
    return useEditor({
      ...common,
      row: crew,
      bodySchema: crewUpdateBodySchema,
      bodyOf: (changes, { id, version }) => ({ id, version, ...changes }),
      save: updateCrew,
    });
  }
  return useEditor({
    ...common,
    row: blankCrew,
    bodySchema: crewAddBodySchema,
    bodyOf: (changes) => ({ name: '', masterAgentId: 0, members: [], ...changes }),
    save: addCrew,
  });
}

/** The members with one of them changed; a text that is empty is none. */
export function withMember(
  members: readonly CrewMember[],
  at: number,
  change: Partial<CrewMember>,
): CrewMember[] {
  return members.map((member, index) => {
    if (index !== at) return member;
    const { alias, description, ...changed } = { ...member, ...change };
    return { ...changed, ...(alias ? { alias } : {}), ...(description ? { description } : {}) };
  });
}

/** The members with one of them a place further up or down, where there is one. */
export function moved(members: readonly CrewMember[], at: number, by: 1 | -1): CrewMember[] {
  const member = members[at];
  const other = members[at + by];
  if (!member || !other) return [...members];
  return members.with(at, other).with(at + by, member);
}
