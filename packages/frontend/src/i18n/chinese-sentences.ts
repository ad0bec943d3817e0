import type { DisabledReason } from '@netaclaw/contracts';

/** What the contracts say of a wrong value in words of their own, in Chinese. A test finds the missing ones. */
export const contractSentences: Readonly<Record<string, string>> = {
  'use lower case letters, digits and single hyphens': '只能使用小写字母、数字和单个连字符',
  'use lower case letters, digits and single hyphens or underscores':
    '只能使用小写字母、数字以及单个连字符或下划线',
  'a crew needs a member': '团队至少需要一名成员',
  'not a header name': '不是有效的请求头名称',
  'this header is set by NetaClaw': '该请求头由 NetaClaw 设置',
  'a header value holds printable ASCII only': '请求头的值只能包含可打印的 ASCII 字符',
  'at most 30 headers': '请求头最多 30 个',
  'a key holds printable ASCII without spaces only': '密钥只能包含可打印的 ASCII 字符，不含空格',
  'at least 12 characters': '至少 12 个字符',
  'letters, digits and . _ @ -, at most 64': '字母、数字以及 . _ @ -，最多 64 个字符',
};

/** Why a tool is left out, in Chinese; the server's own sentence has the particulars. */
export const reasonSentences: Readonly<Record<DisabledReason, string>> = {
  not_in_catalog: '代码中已不再声明该工具；其记录会保留，待重新声明时恢复。',
  global_disabled: '该工具已对所有智能体停用，可在“工具”页面启用。',
  agent_disabled: '该智能体停用了此工具，可在“工具配置”中启用。',
  capability_mismatch: '模型的能力不满足该工具的要求，可在“模型”或“通道”中修改。',
  memory_off: '该智能体的记忆已关闭，可在“记忆”中打开。',
  no_skills: '该智能体没有技能，可在“技能配置”中选择。',
  not_crew_master: '只有团队的主控智能体可以委派任务。',
  no_computer: '该智能体没有运行环境，可在“沙箱”中选择本地或沙箱。',
  sandbox_capability_missing: '当前的运行环境不提供此工具。',
  admin_only: '仅限管理员角色；当前调用者没有该角色。',
  caller_removed: '请求本身移除了该工具（denyTools）。',
  source_unavailable: '该工具的来源目前不可用，或缺少某项设置。',
  schema_rejected: '模型供应商会拒绝该工具的参数结构。',
  name_conflict: '该工具在供应商处的名称与另一工具相同。',
};
