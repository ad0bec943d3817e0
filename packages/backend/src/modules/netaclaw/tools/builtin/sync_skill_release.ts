import { z } from 'zod';
import { syncRelease } from '../../sandbox/skill_release.js';
import { failed, ok, onComputer } from '../common.js';
import { recordId } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'sync_skill_release',
    toolset: 'skill_lifecycle',
    description: 'Drafts a stable release into the skill store of this server, for review.',
    parameters: z.strictObject({ release_id: recordId('Which release.') }),
    scene: 'computer',
    adminOnly: true,
  },
  sequential: true,
  create:
    (facilities) =>
    (input, { signal }) =>
      onComputer(facilities, signal, async ({ skills }) => {
        if (skills === null) return failed('This sandbox makes no skills.');
        const saveDraft = facilities.saveSkillDraft ?? null;
        if (saveDraft === null) return failed('This server has no skill store to draft it into.');
        const releaseId = input.release_id;
        const { draft } = await syncRelease(skills, { releaseId, saveDraft, signal });
        return ok(`The draft "${draft ?? ''}" waits for review in Skills.`);
      }),
});
