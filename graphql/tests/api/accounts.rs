//! Accounts over GraphQL: the caller's own, sessions, links in mails, and administration by superusers.

use kurso_core::both;
use kurso_core::testing::PASSWORD;
use serde_json::{Value, json};

use crate::support::Server;

const ME: &str = "{ me { id email fullName } }";
const UPDATE_ME: &str = "mutation($i: UpdateMeInput!) { updateMe(input: $i) { user { id email fullName } } }";
const CHANGE_PASSWORD: &str = "mutation($i: ChangePasswordInput!) { changePassword(input: $i) { message } }";
const DELETE_ME: &str = "mutation { deleteMe { userId message } }";
const SESSIONS: &str = "{ sessions { totalCount nodes { id device current } } }";
const END_SESSION: &str = "mutation($i: EndSessionInput!) { endSession(input: $i) { sessionId message } }";
const ASK: &str = "mutation($i: RequestPasswordRecoveryInput!) { requestPasswordRecovery(input: $i) { message } }";
const RESET: &str = "mutation($i: ResetPasswordInput!) { resetPassword(input: $i) { message } }";
const UNDO: &str = "mutation($i: UndoEmailChangeInput!) { undoEmailChange(input: $i) { message } }";
const LOGIN: &str = "mutation($i: LoginInput!) { login(input: $i) { accessToken } }";
const USERS: &str = "query($n: Int) { users(first: $n) { totalCount nodes { email } } }";
const FIND: &str =
    "query($s: String, $skip: Int) { users(search: $s, first: 1, skip: $skip) { totalCount nodes { email } } }";
const USER: &str = "query($id: ID!) { user(id: $id) { email } }";
const CREATE_USER: &str = "mutation($i: CreateUserInput!) { createUser(input: $i) {
    user { id email fullName isActive isSuperuser } } }";
const UPDATE_USER: &str = "mutation($i: UpdateUserInput!) { updateUser(input: $i) {
    user { email fullName isActive isSuperuser } } }";
const DELETE_USER: &str = "mutation($i: DeleteUserInput!) { deleteUser(input: $i) { userId message } }";
const PREVIEW: &str = "query($e: String!) { passwordRecoveryHtml(email: $e) { subject html } }";
const TEST_MAIL: &str = "mutation($i: SendTestEmailInput!) { sendTestEmail(input: $i) { message } }";

fn input(value: Value) -> Value {
    json!({"i": value})
}

both! {
    async fn users_update_their_own_account(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("ann").await;
        kurso.person("bob").await;
        let ann = kurso.token("ann@example.com").await;
        let changed = server.data(&ann, UPDATE_ME, input(json!({"fullName": "Анна"}))).await;
        assert_eq!((&changed["user"]["fullName"], &changed["user"]["email"]), (&json!("Анна"), &json!("ann@example.com")));
        let changed = server.data(&ann, UPDATE_ME, input(json!({"email": "Anna@Example.com", "fullName": null}))).await;
        assert_eq!((&changed["user"]["fullName"], &changed["user"]["email"]), (&Value::Null, &json!("Anna@example.com")));
        assert_eq!(server.refusal(&ann, UPDATE_ME, input(json!({"email": "BOB@example.com"}))).await, "CONFLICT");
        assert_eq!(server.bad_fields(&ann, UPDATE_ME, input(json!({"email": null, "fullName": "x".repeat(256)}))).await,
            ["fullName string_too_long", "email string_type"]);
        for (query, body) in [(UPDATE_ME, json!({})), (CHANGE_PASSWORD, json!({"currentPassword": "", "newPassword": ""}))] {
            assert_eq!(server.refusal("", query, input(body)).await, "UNAUTHENTICATED");
        }

        // A mail to the old address can undo the change, which ends all sessions.
        let mails = kurso.mails().await;
        assert_eq!(mails[0].to, "ann@example.com");
        assert!(mails[0].text.contains("Anna@example.com") && mails[0].subject.chars().any(|c| ('а'..='я').contains(&c)), "{mails:?}");
        let undone = server.data("", UNDO, input(json!({"token": mails[0].token()}))).await;
        assert_eq!(undone["message"], "The email address is the old one again, and every session has ended");
        assert_eq!(server.refusal(&ann, ME, json!({})).await, "UNAUTHENTICATED");
        assert_eq!(server.refusal("", UNDO, input(json!({"token": mails[0].token()}))).await, "BAD_USER_INPUT");
        let ann = kurso.token("ann@example.com").await;

        let gone = server.data(&ann, DELETE_ME, json!({})).await;
        assert_eq!(gone["message"], "User deleted successfully");
        assert_eq!(server.refusal(&ann, ME, json!({})).await, "UNAUTHENTICATED");
        kurso.superuser("root").await;
        assert_eq!(server.refusal(&kurso.token("root@example.com").await, DELETE_ME, json!({})).await, "FORBIDDEN");
    }

    async fn a_new_password_ends_the_other_sessions(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("ann").await;
        let (here, there) = (kurso.token("ann@example.com").await, kurso.token("ann@example.com").await);
        let change = |current: &str, new: &str| input(json!({"currentPassword": current, "newPassword": new}));
        let refused = server.ask(&here, CHANGE_PASSWORD, change("a wrong password", "another password")).await;
        assert_eq!((&refused["errors"][0]["message"], &refused["errors"][0]["extensions"]["code"]),
            (&json!("Incorrect password"), &json!("BAD_USER_INPUT")));
        assert_eq!(server.refusal(&here, CHANGE_PASSWORD, change(PASSWORD, PASSWORD)).await, "BAD_USER_INPUT");
        assert_eq!(server.bad_fields(&here, CHANGE_PASSWORD, change(PASSWORD, "short")).await, ["newPassword string_too_short"]);
        let changed = server.data(&here, CHANGE_PASSWORD, change(PASSWORD, "another password")).await;
        assert_eq!(changed["message"], "Password updated successfully");
        assert_eq!(server.refusal(&there, ME, json!({})).await, "UNAUTHENTICATED");
        assert_ne!(server.data(&here, ME, json!({})).await["id"], Value::Null);
        let mut codes = Vec::new();
        for _ in 0..20 {
            codes.push(server.refusal(&here, CHANGE_PASSWORD, change("a wrong password", "another password")).await);
        }
        assert_eq!(codes.last().unwrap(), "RATE_LIMITED", "as over REST, 20 tries in 10 minutes");
    }

    async fn sessions_are_listed_and_ended_one_by_one(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.account("ann", false).await;
        kurso.account("bob", false).await;
        let bob = kurso.token("bob@example.com").await;
        let login = input(json!({"email": "ann@example.com", "password": PASSWORD}));
        let request = server.client.post(&server.url).header("user-agent", "Phone");
        let answer = request.json(&json!({"query": LOGIN, "variables": login})).send().await.unwrap();
        let answer: Value = answer.json().await.unwrap();
        let phone = answer["data"]["login"]["accessToken"].as_str().unwrap().to_owned();
        kurso.clock.advance(chrono::Duration::minutes(1));
        let here = kurso.token("ann@example.com").await;
        let listed = server.data(&here, SESSIONS, json!({})).await;
        let nodes = listed["nodes"].as_array().unwrap();
        assert_eq!((&listed["totalCount"], nodes.len()), (&json!(2), 2));
        assert_eq!((&nodes[0]["current"], &nodes[1]["current"], &nodes[1]["device"]), (&json!(true), &json!(false), &json!("Phone")));
        let body = input(json!({"sessionId": nodes[1]["id"]}));
        assert_eq!(server.refusal(&bob, END_SESSION, body.clone()).await, "NOT_FOUND", "another's");
        let ended = server.data(&here, END_SESSION, body.clone()).await;
        assert_eq!(ended, json!({"sessionId": nodes[1]["id"], "message": "Session ended"}));
        assert_eq!(server.refusal(&phone, ME, json!({})).await, "UNAUTHENTICATED");
        assert_eq!(server.refusal(&here, END_SESSION, body).await, "NOT_FOUND");
        assert_eq!(server.bad_fields(&here, END_SESSION, input(json!({"sessionId": "x"}))).await, ["sessionId uuid_parsing"]);
        assert_eq!(server.refusal("", SESSIONS, json!({})).await, "UNAUTHENTICATED");
    }

    async fn a_password_is_recovered_by_mail(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.person("ann").await;
        let before = kurso.token("ann@example.com").await;
        for email in ["ann@example.com", "nobody@example.com", "no address"] {
            let said = server.data("", ASK, input(json!({"email": email}))).await;
            assert_eq!(said["message"], "If that email is registered, we sent a password recovery link");
        }
        let mails = kurso.mails().await;
        assert_eq!(mails.len(), 1);
        let reset = |password: &str| input(json!({"token": mails[0].token(), "newPassword": password}));
        assert_eq!(server.bad_fields("", RESET, reset("short")).await, ["newPassword string_too_short"]);
        let said = server.data("", RESET, reset("another password")).await;
        assert_eq!(said["message"], "Password updated successfully");
        assert_eq!(server.refusal("", RESET, reset("another password")).await, "BAD_USER_INPUT", "a link is good once");
        assert_eq!(server.refusal(&before, ME, json!({})).await, "UNAUTHENTICATED");
        let login = input(json!({"email": "ann@example.com", "password": "another password"}));
        assert_ne!(server.data("", LOGIN, login).await["accessToken"], Value::Null);
        for _ in 0..4 {
            server.data("", ASK, input(json!({"email": "ann@example.com"}))).await;
        }
        assert_eq!(server.refusal("", ASK, input(json!({"email": "ann@example.com"}))).await, "RATE_LIMITED");
    }

    async fn superusers_manage_accounts(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let ann = kurso.person("ann").await;
        let root = kurso.superuser("root").await;
        let (token, user) = (kurso.token("root@example.com").await, kurso.token("ann@example.com").await);
        let new = json!({"email": "new@example.com", "password": "a new password", "fullName": "Новый", "isSuperuser": true});
        let made = server.data(&token, CREATE_USER, input(new.clone())).await;
        let id = &made["user"]["id"];
        assert_eq!(made["user"], json!({"id": id, "email": "new@example.com", "fullName": "Новый", "isActive": true, "isSuperuser": true}));
        let mails = kurso.mails().await;
        assert!(mails[0].to == "new@example.com" && !mails[0].text.contains("a new password"), "{mails:?}");
        let taken = server.ask(&token, CREATE_USER, input(new)).await;
        assert_eq!(taken["errors"][0]["message"], "The user with this email already exists in the system.");
        let listed = server.data(&token, USERS, json!({"n": 2})).await;
        assert_eq!((&listed["totalCount"], &listed["nodes"]), (&json!(3), &json!([{"email": "new@example.com"}, {"email": "root@example.com"}])));

        let changed = server.data(&token, UPDATE_USER, input(json!({"userId": id, "fullName": null, "isSuperuser": false}))).await;
        assert_eq!(changed["user"], json!({"email": "new@example.com", "fullName": null, "isActive": true, "isSuperuser": false}));
        let body = json!({"userId": id, "email": null, "isActive": null, "isSuperuser": null, "password": null});
        assert_eq!(server.bad_fields(&token, UPDATE_USER, input(body)).await,
            ["email string_type", "isActive bool_type", "isSuperuser bool_type", "password string_type"]);
        assert_eq!(server.refusal(&token, UPDATE_USER, input(json!({"userId": id, "email": "Ann@example.com"}))).await, "CONFLICT");
        server.data(&token, UPDATE_USER, input(json!({"userId": ann.id(), "isActive": false}))).await;
        assert_eq!(server.refusal(&user, ME, json!({})).await, "UNAUTHENTICATED");
        server.data(&token, UPDATE_USER, input(json!({"userId": ann.id(), "isActive": true}))).await;

        let mail = server.data(&token, PREVIEW, json!({"e": "ann@example.com"})).await;
        assert!(mail["html"].as_str().unwrap().contains("/reset-password?token="), "{mail}");
        assert_eq!(server.refusal(&token, PREVIEW, json!({"e": "nobody@example.com"})).await, "NOT_FOUND");
        assert_eq!(server.data(&token, TEST_MAIL, input(json!({"email": "x@example.com"}))).await["message"], "Test email sent");
        assert_eq!(server.bad_fields(&token, TEST_MAIL, input(json!({"email": "x"}))).await, ["email value_error"]);
        assert_eq!(kurso.mails().await.last().unwrap().to, "x@example.com");

        assert_eq!(server.data(&token, USER, json!({"id": id})).await["email"], "new@example.com");
        let gone = server.data(&token, DELETE_USER, input(json!({"userId": id}))).await;
        assert_eq!(gone, json!({"userId": id, "message": "User deleted successfully"}));
        assert_eq!(server.refusal(&token, DELETE_USER, input(json!({"userId": id}))).await, "NOT_FOUND");
        assert_eq!(server.refusal(&token, UPDATE_USER, input(json!({"userId": id}))).await, "NOT_FOUND");
        assert_eq!(server.refusal(&token, USER, json!({"id": id})).await, "NOT_FOUND");
        assert_eq!(server.refusal(&token, DELETE_USER, input(json!({"userId": root.id()}))).await, "FORBIDDEN", "one's own");
    }

    async fn superusers_find_users_by_name_and_email(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        kurso.superuser("root").await;
        let root = kurso.token("root@example.com").await;
        for (email, name) in [("petr@example.com", "Пётр Иванов"), ("anna@example.com", "Анна Иванова"), ("cloud@example.net", "")] {
            kurso.clock.advance(chrono::Duration::seconds(1));
            let new = json!({"email": email, "fullName": name, "password": PASSWORD});
            server.data(&root, CREATE_USER, input(new)).await;
        }
        let find = async |search: &str, skip: i32| {
            let found = server.data(&root, FIND, json!({"s": search, "skip": skip})).await;
            (found["totalCount"].clone(), found["nodes"][0]["email"].clone())
        };
        assert_eq!(find("иванов", 0).await, (json!(2), json!("anna@example.com")), "newest first");
        assert_eq!(find("ИВАНОВ", 1).await, (json!(2), json!("petr@example.com")));
        assert_eq!(find("петр example.com", 0).await, (json!(1), json!("petr@example.com")), "ё as е, each word somewhere");
        assert_eq!(find("cloud@", 0).await, (json!(1), json!("cloud@example.net")));
        assert_eq!(find("%", 0).await, (json!(0), Value::Null));
        assert_eq!(find(" ", 3).await, (json!(4), json!("root@example.com")), "no word finds everybody");
        let long = json!({"s": "x".repeat(256)});
        assert_eq!(server.bad_fields(&root, FIND, long.clone()).await, ["search string_too_long"]);
        assert_eq!(server.refusal(&kurso.token("petr@example.com").await, FIND, long).await, "FORBIDDEN");
    }

    async fn the_superuser_check_precedes_input_validation(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let ann = kurso.person("ann").await;
        let root = kurso.superuser("root").await;
        let token = kurso.token("ann@example.com").await;
        for (query, variables) in [
            (USERS, json!({"n": -1})), (CREATE_USER, input(json!({"email": "x", "password": ""}))),
            (UPDATE_USER, input(json!({"userId": "x"}))), (DELETE_USER, input(json!({"userId": "x"}))),
            (PREVIEW, json!({"e": "x"})), (TEST_MAIL, input(json!({"email": "x"}))),
            (USER, json!({"id": root.id()})), (USER, json!({"id": "0198f000-0000-7000-8000-000000000000"})),
        ] {
            assert_eq!(server.refusal(&token, query, variables.clone()).await, "FORBIDDEN", "{query}");
            assert_eq!(server.refusal("", query, variables).await, "UNAUTHENTICATED", "{query}");
        }
        assert_eq!(server.data(&token, USER, json!({"id": ann.id()})).await["email"], "ann@example.com", "one's own");
    }
}
