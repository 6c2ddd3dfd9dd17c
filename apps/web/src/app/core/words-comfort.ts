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
  health_more: { en: 'and {n} more', zh: '另有 {n} 项' },
} as const;
