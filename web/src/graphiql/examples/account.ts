import { texts } from "../texts";
import type { Example } from "./example";

export const login: Example = {
  title: texts.login,
  text: texts.loginText,
  query: `mutation Login($email: String!, $password: String!) {
  login(input: { email: $email, password: $password }) {
    accessToken
  }
}
`,
  variables: async () => ({ email: "", password: "" }),
};

export const me: Example = {
  title: texts.me,
  text: texts.meText,
  query: `query Me {
  me {
    id
    email
    fullName
  }
  myEnrollments(first: 10) {
    nodes {
      course {
        id
        title
      }
    }
  }
  myCourses(first: 10) {
    nodes {
      id
      title
      myRole
    }
  }
}
`,
  variables: async () => ({}),
};
