import type { ApiError, FailureCode } from './api.js';
import type { Language } from './time-text.js';

interface Message {
  readonly en: string;
  readonly zh: string;
}

/** What each code means to a person, and what did or did not happen. The one message table. */
const MESSAGES: Readonly<Record<FailureCode, Message>> = {
  UNREACHABLE: { en: 'The server does not answer. Nothing is known to have happened.', zh: '服务器没有响应，无法确认是否已发生任何操作。' },
  INPUT_INVALID: {
    en: 'A field holds a value that the server does not take. Nothing was done.',
    zh: '有字段的值不被服务器接受，未作任何操作。',
  },
  JSON_INVALID: { en: 'The request was not readable. Nothing was done.', zh: '请求无法读取，未作任何操作。' },
  BODY_TOO_LARGE: { en: 'That is too much text for one request. Nothing was done.', zh: '单次请求的内容过大，未作任何操作。' },
  CONTENT_TYPE_UNSUPPORTED: {
    en: 'The request had a form that the server does not take. Nothing was done.',
    zh: '请求格式不受支持，未作任何操作。',
  },
  CURSOR_INVALID: { en: 'This list has moved on. Load it again from the top.', zh: '列表已变化，请从头重新加载。' },
  REQUEST_ID_CONFLICT: {
    en: 'The same request was sent before with other content. Nothing was done.',
    zh: '相同的请求编号此前带有不同内容，未作任何操作。',
  },
  ROUTE_NOT_FOUND: { en: 'This server does not have that page or action.', zh: '此服务器没有该页面或操作。' },
  AUTH_REQUIRED: { en: 'You are signed out. Sign in to go on; nothing was done.', zh: '你已退出登录。请重新登录；未作任何操作。' },
  CREDENTIALS_INVALID: { en: 'Name and password do not match.', zh: '名称与密码不匹配。' },
  TOKEN_EXPIRED: { en: 'Your session is over. Sign in again.', zh: '会话已过期，请重新登录。' },
  LINK_INVALID: {
    en: 'This link was used, replaced or is too old. Ask for a new one; the first owner starts the server again.',
    zh: '链接已使用、被替换或已过期。请索取新链接；首位所有者请重新启动服务器。',
  },
  CSRF_INVALID: {
    en: 'This page is too old to change something. Reload it; nothing was done.',
    zh: '页面已过旧，无法执行更改。请刷新；未作任何操作。',
  },
  HOST_NOT_ALLOWED: { en: 'The server does not answer under this address.', zh: '服务器不接受以此地址访问。' },
  ORIGIN_NOT_ALLOWED: { en: 'The server does not take changes from this address.', zh: '服务器不接受来自此地址的更改。' },
  SCOPE_MISSING: { en: 'You may not do this. Nothing was done.', zh: '你没有此权限，未作任何操作。' },
  ROLE_MISSING: { en: 'Your role does not include this. Nothing was done.', zh: '你的角色不包含此权限，未作任何操作。' },
  RATE_LIMITED: { en: 'Too many requests in a short time. Wait a moment; nothing was done.', zh: '请求过于频繁，请稍候；未作任何操作。' },
  PERSON_NAME_TAKEN: { en: 'Somebody has that name already.', zh: '该名称已被使用。' },
  PERSON_NOT_FOUND: { en: 'There is no such person any more.', zh: '该人员已不存在。' },
  OWNER_EXISTS: { en: 'This server has an owner already. Sign in instead.', zh: '此服务器已有所有者，请直接登录。' },
  LINK_NOT_FOUND: { en: 'This invitation is not open any more.', zh: '此邀请已失效。' },
  SIGN_IN_NOT_FOUND: { en: 'This sign-in is over already.', zh: '此登录已结束。' },
  PROOF_INVALID: { en: 'That does not prove that it is you. Nothing was done.', zh: '无法证明是你本人，未作任何操作。' },
  STEP_UP_REQUIRED: { en: 'Prove again that it is you. Nothing was done yet.', zh: '请再次证明是你本人；尚未作任何操作。' },
  SECOND_FACTOR_MISSING: {
    en: 'A second factor is needed first. Set one up in your account.',
    zh: '需要先设置第二因素，请在你的账户中设置。',
  },
  SECOND_FACTOR_NOT_FOUND: { en: 'This second factor is not there, or cannot be used here.', zh: '此第二因素不存在，或无法在此使用。' },
  TOOL_NOT_ALLOWED: { en: 'This token may not use that tool. Nothing was done.', zh: '此令牌不能使用该工具，未作任何操作。' },
  LAST_ADMIN: { en: 'Somebody must stay administrator. Nothing was changed.', zh: '必须至少保留一名管理员，未作任何更改。' },
  TOKEN_NOT_FOUND: { en: 'There is no such token any more.', zh: '该令牌已不存在。' },
  WORKSPACE_NOT_FOUND: { en: 'There is no such workspace, or you may not see it.', zh: '没有该工作区，或你无权查看。' },
  WORKSPACE_GONE: {
    en: 'The folder of this workspace is not there now. Nothing was run.',
    zh: '该工作区的文件夹当前不存在，未运行任何内容。',
  },
  WORKSPACE_PATH_INVALID: { en: 'That folder cannot be a workspace.', zh: '该文件夹不能用作工作区。' },
  WORKSPACE_NAME_TAKEN: { en: 'Another workspace has that name.', zh: '已有同名工作区。' },
  SESSION_NOT_FOUND: { en: 'There is no such session, or you may not see it.', zh: '没有该会话，或你无权查看。' },
  SESSION_CLOSED: { en: 'The session is closed. Plan again to open a new one.', zh: '会话已关闭。请重新计划以打开新会话。' },
  SESSION_BUSY: {
    en: 'Another run of this session goes on. Wait for it; nothing was run.',
    zh: '该会话有另一运行正在进行，请等待；未运行任何内容。',
  },
  SESSION_LIMIT: { en: 'Too many sessions are open. Close one; nothing was done.', zh: '打开的会话过多，请先关闭一个；未作任何操作。' },
  COMMAND_INVALID: { en: 'The command could not be read. Nothing was planned.', zh: '命令无法解析，未作计划。' },
  COMMAND_LIMIT: { en: 'The command is too long. Nothing was planned.', zh: '命令过长，未作计划。' },
  CWD_INVALID: { en: 'That folder is not inside the workspace. Nothing was planned.', zh: '该文件夹不在工作区内，未作计划。' },
  ENV_NOT_ALLOWED: { en: 'One of the environment variables may not be set. Nothing was planned.', zh: '有环境变量不允许设置，未作计划。' },
  LIMITS_INVALID: { en: 'The limits are out of range. Nothing was planned.', zh: '限制值超出范围，未作计划。' },
  PLAN_NOT_FOUND: { en: 'There is no such plan, or you may not see it.', zh: '没有该计划，或你无权查看。' },
  PLAN_BLOCKED: { en: 'Policy blocks this plan. Nothing was run.', zh: '策略阻止了此计划，未运行任何内容。' },
  PLAN_NOT_APPROVED: { en: 'The plan still waits for a person. Nothing was run.', zh: '计划仍待人员批准，未运行任何内容。' },
  PLAN_REJECTED: { en: 'The plan was rejected. Nothing was run.', zh: '计划已被拒绝，未运行任何内容。' },
  PLAN_STALE: {
    en: 'Something changed since the plan. Plan it again; nothing was run.',
    zh: '计划之后有变化。请重新计划；未运行任何内容。',
  },
  PLAN_EXPIRED: { en: 'The plan is too old. Plan it again; nothing was run.', zh: '计划已过期。请重新计划；未运行任何内容。' },
  PLAN_ALREADY_RUNNING: { en: 'The plan runs already. It was not started twice.', zh: '计划已在运行，不会重复启动。' },
  PLAN_ALREADY_RUN: { en: 'The plan was run before. A plan runs once.', zh: '计划已运行过，每个计划只运行一次。' },
  PLAN_STATUS_CONFLICT: { en: 'The plan has moved on. Nothing was done.', zh: '计划状态已变化，未作任何操作。' },
  PLAN_DIGEST_MISMATCH: {
    en: 'What you saw is not what waits now. Nothing was decided.',
    zh: '你看到的内容与当前等待的内容不一致，未作任何决定。',
  },
  PLAN_KIND_UNKNOWN: { en: 'This server does not know that kind of plan.', zh: '此服务器不识别该类计划。' },
  POLICY_INVALID: { en: 'The policy could not be read. The old one stays.', zh: '策略无法解析，旧策略保持不变。' },
  POLICY_VERSION_CONFLICT: { en: 'Somebody else changed the policy first. The old one stays.', zh: '策略已被他人更改，旧策略保持不变。' },
  POLICY_VERSION_NOT_FOUND: { en: 'There is no such version of the policy.', zh: '没有该策略版本。' },
  PROPOSAL_NOT_FOUND: { en: 'There is no such proposal.', zh: '没有该提议。' },
  PROPOSAL_CLOSED: { en: 'Somebody has decided this proposal already. Nothing was changed.', zh: '该提议已有人处理，未作任何更改。' },
  LEARNING_REFUSED: { en: 'No rule may be learned from this plan. Nothing was changed.', zh: '不能从该计划生成规则，未作任何更改。' },
  ASK_NOT_FOUND: { en: 'There is no such ask, or you may not see it.', zh: '没有该请求，或你无权查看。' },
  ASK_ALREADY_RESOLVED: { en: 'Somebody decided first. Your answer was not counted.', zh: '他人已先决定，你的答复未计入。' },
  ASK_EXPIRED: { en: 'The time was over. Your answer was not counted.', zh: '时间已到，你的答复未计入。' },
  ASK_DIGEST_MISMATCH: {
    en: 'What you saw is not what waits now. Nothing was decided.',
    zh: '你看到的内容与当前等待的内容不一致，未作任何决定。',
  },
  VOTE_NOT_ALLOWED: { en: 'Policy does not let you decide this. Nothing was decided.', zh: '策略不允许你对此作出决定，未作任何决定。' },
  VOTE_ALREADY_GIVEN: { en: 'You have answered this already.', zh: '你已答复过此请求。' },
  REMEMBER_REFUSED: { en: 'This approval cannot be remembered. Nothing was decided.', zh: '该批准不能被记住，未作任何决定。' },
  REMEMBERED_NOT_FOUND: { en: 'There is no such remembered approval.', zh: '没有该已记住的批准。' },
  RUN_NOT_FOUND: { en: 'There is no such run, or you may not see it.', zh: '没有该运行，或你无权查看。' },
  RUN_ENDED: { en: 'The run has ended already. Nothing was done.', zh: '运行已结束，未作任何操作。' },
  RUN_TAKES_NO_INPUT: { en: 'This run takes no input. Nothing was typed.', zh: '此运行不接受输入，未输入任何内容。' },
  TERMINAL_UNAVAILABLE: { en: 'This server has no terminals. Nothing was planned.', zh: '此服务器不提供终端，未创建计划。' },
  RUN_LIMIT: { en: 'Too many runs go on. Wait for one to end; nothing was run.', zh: '正在进行的运行过多，请等待；未运行任何内容。' },
  EXECUTABLE_NOT_FOUND: {
    en: 'The program is not installed where this workspace looks. Nothing was run.',
    zh: '在此工作区的查找路径中找不到该程序，未运行任何内容。',
  },
  EXECUTOR_UNAVAILABLE: { en: 'The executor is not ready. Nothing was run.', zh: '执行器未就绪，未运行任何内容。' },
  SANDBOX_UNAVAILABLE: {
    en: 'The sandbox that policy wants is not there. Nothing was run.',
    zh: '策略所要求的沙箱不可用，未运行任何内容。',
  },
  RECEIPT_NOT_FOUND: { en: 'There is no such receipt, or you may not see it.', zh: '没有该收据，或你无权查看。' },
  RECEIPT_DELETED: {
    en: 'A retention rule has deleted this receipt. Its place in the ledger can still be proved.',
    zh: '该收据已按保留规则删除，其在账本中的位置仍可证明。',
  },
  WEBHOOK_NOT_FOUND: { en: 'There is no such webhook any more.', zh: '该通知已不存在。' },
  WEBHOOK_URL_INVALID: {
    en: 'This address cannot be used: it must be https and lead to the public Internet, or to a host that the server may reach.',
    zh: '此地址不可用：必须为 https 且指向公共互联网，或服务器允许访问的主机。',
  },
  WEBHOOK_CONFLICT: { en: 'Somebody else has changed it first. Load it again.', zh: '已被他人更改，请重新加载。' },
  WEBHOOK_LIMIT: { en: 'There are as many webhooks as there can be. Nothing was added.', zh: '通知数量已达上限，未添加。' },
  KEY_NOT_FOUND: { en: 'There is no such key.', zh: '没有该密钥。' },
  KEY_REVOKED: { en: 'This key is revoked already.', zh: '该密钥已被吊销。' },
  RETENTION_RULE_NOT_FOUND: { en: 'There is no such retention rule.', zh: '没有该保留规则。' },
  RESOURCE_NOT_FOUND: { en: 'There is no such file, or it may not be read.', zh: '没有该文件，或不允许读取。' },
  STORAGE_FULL: { en: 'The server has no space left. Nothing was done.', zh: '服务器存储空间已满，未作任何操作。' },
  STORAGE_UNAVAILABLE: { en: 'The server cannot reach its data now. Nothing was done.', zh: '服务器暂时无法访问数据，未作任何操作。' },
  SHUTTING_DOWN: { en: 'The server is stopping. Nothing was done.', zh: '服务器正在停止，未作任何操作。' },
  INTERNAL: { en: 'Something broke on the server. It has been logged.', zh: '服务器出现错误，已记录日志。' },
};

export function messageOf(failure: ApiError, lang: Language): string {
  return MESSAGES[failure.code][lang];
}
