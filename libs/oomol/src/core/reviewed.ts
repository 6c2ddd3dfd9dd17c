import type { ActionEffect } from '#contracts';

/** Actions that people have looked at, because their names or scopes say something else than they do. */
export const REVIEWED: Readonly<Record<string, ActionEffect>> = {
  'quickchart.build_qr_url': 'read',
  'quickchart.build_chart_url': 'read',
  'hackernews.get_item': 'read',
  'hackernews.get_user': 'read',
  'arxiv.search_papers': 'read',
  'github.get_current_user': 'read',
  'github.get_repository': 'read',
  'github.list_issues': 'read',
  'github.create_issue': 'write',
  'github.create_pull_request': 'write',
  'github.add_issue_assignees': 'write',
  'github.merge_pull_request': 'destructive',
  'github.delete_repository': 'destructive',
  'github.delete_file': 'destructive',
  'gmail.send_email': 'write',
  'gmail.trash_message': 'destructive',
  'slack.list_channels': 'read',
  'slack.send_message': 'write',
  'slack.delete_message': 'destructive',
  'notion.query_database': 'read',
};
