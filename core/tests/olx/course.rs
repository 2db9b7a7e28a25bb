//! An Open edX course for these tests: every kind of component and problem, with secrets where exports have them.

use std::path::Path;

/// Secrets in the course below that no reader may take.
pub const SECRETS: &[&str] = &[
    "S3CRET-xqa",
    "S3CRET-passport",
    "S3CRET-git",
    "S3CRET-policy",
    "S3CRET-advanced",
    "S3CRET-certificate",
    "S3CRET-lti",
    "S3CRET-grader",
    "S3CRET-link",
];

pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

pub const FILES: &[(&str, &str)] = &[
    (
        "course.xml",
        "<course url_name=\"2024\" org=\"Школа\" course=\"FIZ1\"/>",
    ),
    (
        "course/2024.xml",
        r#"<course display_name="Физика для всех" language="ru" start="2024-01-01" xqa_key="S3CRET-xqa"
             lti_passports="[&quot;a:b:S3CRET-passport&quot;]" giturl="https://git:S3CRET-git@example.com/a.git"
             advanced_modules="S3CRET-advanced" cert_html_view_overrides="S3CRET-certificate">
           <chapter url_name="ch1"/>
           <chapter display_name="Глава в строке"><sequential display_name="Урок в строке"><vertical display_name="Страница в строке">
             <html>Просто <b>текст</b></html></vertical></sequential></chapter>
           <wiki slug="x"/>
         </course>"#,
    ),
    (
        "chapter/ch1.xml",
        "<chapter display_name=\"Механика\"><sequential url_name=\"s1\"/><sequential url_name=\"s2\"/></chapter>",
    ),
    (
        "sequential/s1.xml",
        "<sequential display_name=\"Движение\" graded=\"true\" due=\"2024-02-01\" format=\"ДЗ\"><vertical url_name=\"v1\"/>\
         <vertical url_name=\"v2\"/><vertical url_name=\"v3\"/></sequential>",
    ),
    (
        "sequential/s2.xml",
        "<sequential display_name=\"Разное\"><vertical url_name=\"v4\"/><vertical url_name=\"v5\"/></sequential>",
    ),
    (
        "vertical/v1.xml",
        "<vertical display_name=\"Введение\"><html url_name=\"intro\"/><video url_name=\"vid\"/></vertical>",
    ),
    (
        "html/intro.xml",
        "<html filename=\"intro\" display_name=\"Text\" xqa_key=\"S3CRET-xqa\"/>",
    ),
    (
        "html/intro.html",
        r##"<h3>Скорость</h3><p>Формула [mathjaxinline]v = s/t[/mathjaxinline].</p>
           <p><img src="/static/cat.png" alt="кот"> <a href="/jump_to_id/v2#h">дальше</a>
           <a href="/jump_to_id/none">никуда</a> <a href="#скорость">выше</a>
           <a href="https://git:S3CRET-link@example.com/a">сайт</a> <a href="/static/notes.txt">файл</a></p>
           <script>alert(1)</script>"##,
    ),
    (
        "video/vid.xml",
        r#"<video url_name="vid" display_name="Опыт" youtube="0.75:aaaaaaaaaaa,1.00:dQw4w9WgXcQ" youtube_id_1_0="dQw4w9WgXcQ"
             html5_sources="[&quot;https://example.com/v.mp4&quot;]" transcripts="{&quot;ru&quot;: &quot;vid-ru.srt&quot;}" edx_video_id="">
             <transcript language="en" src="vid-en.srt"/></video>"#,
    ),
    (
        "vertical/v2.xml",
        r#"<vertical display_name="Задания"><html url_name="before"/><problem url_name="p1"/><problem url_name="p2"/>
             <html url_name="between"/><problem url_name="p3"/></vertical>"#,
    ),
    ("html/before.xml", "<html filename=\"before\"/>"),
    ("html/before.html", "<p>Перед заданиями</p><h2 id=\"h\">Место</h2>"),
    ("html/between.xml", "<html filename=\"between\"/>"),
    ("html/between.html", "<p>Между заданиями</p>"),
    (
        "problem/p1.xml",
        r#"<problem display_name="Столицы" max_attempts="2" weight="3" showanswer="attempted" markdown="S3CRET-advanced">
             <multiplechoiceresponse><label>Столица Франции?</label><description>Один ответ</description>
               <choicegroup type="MultipleChoice" shuffle="true">
                 <choice correct="true">Париж <choicehint>Верно!</choicehint></choice>
                 <choice correct="false"><b>Лион</b></choice></choicegroup>
               <solution><div class="detailed-solution"><p>Объяснение</p><p>Так и есть.</p></div></solution>
             </multiplechoiceresponse>
             <choiceresponse><label>Реки?</label><checkboxgroup>
               <choice correct="true">Волга<choicehint selected="true">Да</choicehint></choice>
               <choice correct="true">Обь<choicehint selected="false">Не она?</choicehint></choice><choice correct="false">Эльбрус</choice>
               <compoundhint value="A B">Обе</compoundhint></checkboxgroup></choiceresponse>
             <p>Земля — <optionresponse inline="1"><optioninput options="('звезда','планета')" correct="планета"/></optionresponse></p>
             <demandhint><hint>Подумайте</hint><hint>Ещё раз</hint></demandhint>
           </problem>"#,
    ),
    (
        "problem/p2.xml",
        r#"<problem max_attempts="2" showanswer="attempted">
             <p>Ускорение?</p><numericalresponse answer="9.8"><responseparam type="tolerance" default="0.1"/><formulaequationinput/></numericalresponse>
             <p>Сколько?</p><numericalresponse answer="[1,5)"><formulaequationinput/></numericalresponse><p>штук</p>
             <p>Город</p><stringresponse answer="Москва" type="ci"><additional_answer answer="Moscow"/><correcthint>Да</correcthint>
               <stringequalhint answer="Тверь">Нет</stringequalhint><textline size="20"/></stringresponse>
             <p>Код</p><stringresponse answer="^a+b$" type="regexp"><textline/></stringresponse>
             <p>Плохой шаблон</p><stringresponse answer="(?!x)a" type="regexp"><textline/></stringresponse>
             <optionresponse><optioninput><option correct="True">да<optionhint>Именно</optionhint></option><option correct="False">нет</option></optioninput></optionresponse>
           </problem>"#,
    ),
    (
        "problem/p3.xml",
        r#"<problem display_name="Программа"><script type="loncapa/python">answer = "S3CRET-grader"</script>
             <p>Напишите функцию.</p>
             <coderesponse><textbox mode="python"/><codeparam><grader_payload>S3CRET-grader</grader_payload></codeparam></coderesponse>
             <p>Или формулу.</p><formularesponse answer="m*c^2" samples="m,c@1,1:2,2#5"><formulaequationinput/></formularesponse>
             <customresponse cfn="S3CRET-grader"><textline correct_answer="S3CRET-grader"/></customresponse>
             <solution><p>Решение задачи</p></solution></problem>"#,
    ),
    (
        "vertical/v3.xml",
        r#"<vertical display_name="Для своих" visible_to_staff_only="true"><html>Тайна</html><discussion display_name="Спор" discussion_target="Тема"/></vertical>"#,
    ),
    (
        "vertical/v4.xml",
        r#"<vertical display_name="Инструменты">
             <lti_consumer display_name="Тренажёр" launch_url="https://tool.example.com/run?key=S3CRET-lti" lti_id="S3CRET-lti" custom_parameters="[&quot;a=S3CRET-lti&quot;]"/>
             <poll display_name="Опрос" question="Нравится?" answers="[[&quot;R&quot;, {&quot;label&quot;: &quot;Да&quot;, &quot;img&quot;: &quot;&quot;}]]"/>
             <word_cloud display_name="Облако" instructions="Пишите слова"/>
             <openassessment display_name="Эссе"><prompts><prompt><description>Напишите эссе</description></prompt></prompts>
               <rubric><criterion><name>Ясность</name><prompt>Понятно ли?</prompt><option points="3"><name>Хорошо</name><explanation>Да</explanation></option></criterion></rubric></openassessment>
             <library_content display_name="Из банка"><html>Вариант 1</html><html>Вариант 2</html></library_content>
             <pdf url="/static/notes.txt" display_name="Записки"/>
             <strange-xblock display_name="Нечто" token="S3CRET-advanced">S3CRET-advanced</strange-xblock>
           </vertical>"#,
    ),
    (
        "vertical/v5.xml",
        r#"<vertical display_name="Перетащите"><drag-and-drop-v2 url_name="dnd"/></vertical>"#,
    ),
    (
        "drag-and-drop-v2/dnd.xml",
        r#"<drag-and-drop-v2 display_name="Части" question_text="Что где?" data="{&quot;zones&quot;: [{&quot;uid&quot;: &quot;z1&quot;, &quot;title&quot;: &quot;Верх&quot;}, {&quot;uid&quot;: &quot;z2&quot;, &quot;title&quot;: &quot;Низ&quot;}], &quot;items&quot;: [{&quot;displayName&quot;: &quot;Крыша&quot;, &quot;zones&quot;: [&quot;z1&quot;]}, {&quot;displayName&quot;: &quot;Пол&quot;, &quot;zones&quot;: [&quot;z2&quot;]}, {&quot;displayName&quot;: &quot;Лишнее&quot;, &quot;zones&quot;: []}]}"/>"#,
    ),
    (
        "drafts/vertical/d1.xml",
        r#"<vertical display_name="Набросок" parent_url="block-v1:O+C+R+type@sequential+block@s2" index_in_children_list="2"><html>Недописано</html></vertical>"#,
    ),
    (
        "policies/2024/policy.json",
        r#"{"course/2024": {"display_name": "Физика для всех", "lti_passports": ["S3CRET-policy"]}}"#,
    ),
    ("policies/2024/grading_policy.json", r#"{"GRADER": ["S3CRET-policy"]}"#),
    ("policies/assets.json", r#"{"a": "S3CRET-policy"}"#),
    ("about/short_description.html", "Курс о движении"),
    ("about/overview.html", "<h2>О курсе</h2><p>Для всех</p>"),
    (
        "tabs/faq.html",
        "<p>Вопросы и ответы, см. <a href=\"/course/courseware/ch1/s1/\">начало</a></p>",
    ),
    ("static/notes.txt", "Записки"),
    ("static/vid-ru.srt", "1\n00:00:00,000 --> 00:00:01,000\nПривет\n"),
    ("static/vid-en.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n"),
    ("static/unused.txt", "не нужен"),
];

/// Writes the files into `folder`.
pub fn lay_out(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Writes the complete course.
pub fn whole(folder: &Path) {
    lay_out(folder, FILES);
    std::fs::write(folder.join("static/cat.png"), PNG).unwrap();
}
