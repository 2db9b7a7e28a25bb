-- People who started a course without an account (core/src/guests, docs/decisions/0127-guests.md).

-- A guest is an account without an e-mail address of its own and without a password. Signing in with an account moves what the guest did to
-- that account and deletes the guest.
ALTER TABLE users ADD COLUMN is_guest BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX users_guests ON users (created_at) WHERE is_guest;

-- Whether people without an account may start the course.
ALTER TABLE public_pages ADD COLUMN allows_guests BOOLEAN NOT NULL DEFAULT FALSE;
