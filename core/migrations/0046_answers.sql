-- Questions under pages can have thousands of answers: their accepted answer is found without reading them.
CREATE INDEX discussion_posts_accepted ON discussion_posts (discussion_id) WHERE is_accepted;
