import { z } from 'zod';
import { skillLines } from '../../runtime/skills/skill_texts.js';
import { ok } from '../common.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'skill_list',
    toolset: 'skills',
    description:
      'Lists the skills of this agent: proven ways to do a kind of work, each with what it is for.',
    parameters: z.strictObject({}),
    visibility: 'skill',
    scene: 'skills',
  },
  create: (facilities) => async () => {
    const skills = facilities.skills.list();
    return ok(skills.length === 0 ? 'There are no skills now.' : skillLines(skills));
  },
});
