/** Words of the home page, the first steps, the search, and what the console does for who lives in it. */
export const COMFORT_WORDS = {
  // home
  day_asks: { en: 'Time to decision', zh: '决策用时' },
  day_median: { en: 'half within {time}', zh: '半数在 {time} 内' },
  day_no_decisions: { en: 'Nobody has decided anything lately.', zh: '最近没有决策。' },
  decisions: { en: 'Decisions', zh: '决策' },
  waited: { en: 'Waited', zh: '等待时长' },
  wait_minute: { en: 'under 1 min', zh: '1 分钟内' },
  wait_five: { en: '1 to 5 min', zh: '1–5 分钟' },
  wait_quarter: { en: '5 to 15 min', zh: '5–15 分钟' },
  wait_hour: { en: '15 to 60 min', zh: '15–60 分钟' },
  wait_more: { en: 'over 1 h', zh: '超过 1 小时' },
  health: { en: 'Health', zh: '健康状况' },
  health_works: { en: 'Works', zh: '正常' },
  health_off: { en: 'Switched off', zh: '已停用' },
  health_stopped: { en: 'Stopped', zh: '已停止' },
  health_absent: { en: 'Not set up', zh: '未设置' },
  health_unknown: { en: 'Unknown', zh: '未知' },
  health_sandbox: { en: 'Sandbox', zh: '沙箱' },
  // search
  search_all: { en: 'Search everything', zh: '搜索全部' },
  search_all_hint: { en: 'Asks, plans, runs, receipts, people, pages', zh: '请求、计划、运行、收据、人员、页面' },
  search_keys: { en: 'Arrow keys move, Enter opens, Esc closes.', zh: '方向键移动，回车打开，Esc 关闭。' },
  search_busy: { en: 'Searching…', zh: '正在搜索…' },
  search_nothing: { en: 'Nothing holds these words.', zh: '没有匹配的内容。' },
  search_found: { en: '{n} found', zh: '找到 {n} 项' },
  search_failed: { en: 'The server does not answer; this is what the page knows.', zh: '服务器无响应；以下为本页已知内容。' },
  found_page: { en: 'Page', zh: '页面' },
  found_ask: { en: 'Ask', zh: '请求' },
  found_plan: { en: 'Plan', zh: '计划' },
  found_run: { en: 'Run', zh: '运行' },
  // first steps
  which_client: { en: 'Which client?', zh: '使用哪个客户端？' },
  client_hint_shell: { en: 'Run this once in a terminal.', zh: '在终端中运行一次。' },
  client_hint_desktop: {
    en: 'Settings, Developer, Edit Config: add this to claude_desktop_config.json and start it again.',
    zh: '设置 → 开发者 → 编辑配置：将以下内容加入 claude_desktop_config.json 并重启。',
  },
  client_hint_cursor: {
    en: 'Put this into ~/.cursor/mcp.json, or .cursor/mcp.json of a project.',
    zh: '写入 ~/.cursor/mcp.json 或项目的 .cursor/mcp.json。',
  },
  client_hint_vscode: {
    en: 'Put this into .vscode/mcp.json of a folder, or run “MCP: Open User Configuration”.',
    zh: '写入文件夹的 .vscode/mcp.json，或运行“MCP: Open User Configuration”。',
  },
  client_hint_chatgpt: {
    en: 'Settings, Connectors, Create: paste this address. It must be https and reachable from the Internet; you sign in here and consent.',
    zh: '设置 → 连接器 → 创建：粘贴此地址。地址须为可从互联网访问的 https；随后在此登录并授权。',
  },
  client_hint_http: {
    en: 'Any client that speaks MCP over HTTP sends these headers. This lists the tools.',
    zh: '任何通过 HTTP 使用 MCP 的客户端都发送这些请求头。此命令列出工具。',
  },
  health_more: { en: 'and {n} more', zh: '另有 {n} 项' },
} as const;
